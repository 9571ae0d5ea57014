/** The page around this one, where it is in a frame: what it is told before it has a port, and the port. */
import { fragment } from './address-bar';

/** Version of what both pages say to each other. */
const VERSION = 1;

/** Whether another page has this one in a frame, by a link with `embed=1`. */
export function isEmbeddedThere(): boolean {
  return (
    typeof parent !== 'undefined' && parent !== window && fragment().split('&').includes('embed=1')
  );
}

function isConnect(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || Object.keys(data).length !== 2) return false;
  const { timeslice, kind } = data as Readonly<Record<string, unknown>>;
  return timeslice === VERSION && kind === 'connect';
}

/**
 * Tells the page around this one, whoever it is, that it may connect, and hands on the first port that it sends. From then
 * on nobody is heard but by that port.
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
