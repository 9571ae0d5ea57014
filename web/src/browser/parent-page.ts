/** The page around this one when it is in a frame: the message to it before there is a port, and the port itself. */
import { plainObject, strangeField } from '../lib/plain';
import { fragment } from './address-bar';

/** Version of the messages between the pages. */
const VERSION = 1;

/** Whether another page has this one in a frame, by a link with `embed=1`. */
export function isEmbeddedThere(): boolean {
  return (
    typeof parent !== 'undefined' && parent !== window && fragment().split('&').includes('embed=1')
  );
}

function isConnect(data: unknown): boolean {
  const given = plainObject(data);
  if (given?.['timeslice'] !== VERSION || given['kind'] !== 'connect') return false;
  return strangeField(given, (field) => field === 'timeslice' || field === 'kind') === null;
}

/**
 * Tells the page around this one, whoever made it, that it may connect, and hands on the first port that it sends.
 * Later messages are read only from that port.
 */
export function offerPort(take: (port: MessagePort) => void): void {
  const around = parent;
  const hear = ({ source, data, ports: [port, ...others] }: MessageEvent<unknown>): void => {
    if (source !== around || !port || others.length > 0 || !isConnect(data)) return;
    removeEventListener('message', hear);
    take(port);
  };
  addEventListener('message', hear);
  around.postMessage({ timeslice: VERSION, kind: 'ready' }, '*');
}
