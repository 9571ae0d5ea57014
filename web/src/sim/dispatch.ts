/** Calls the function of the host that answers a request. */
import type { Host } from './host';
import type { Calls, Request } from './protocol';

/** The requests that the host answers; the others concern the package. */
export type HostRequest = Exclude<Request, { kind: 'export' | 'fail' }>;

/** Answers a request. */
export async function dispatch(
  h: Host,
  request: HostRequest,
): Promise<Calls[keyof Calls]['result']> {
  switch (request.kind) {
    case 'load':
      return h.catalog;
    case 'check':
      return h.check(request.args.scenario);
    case 'machine':
      return h.machine(request.args.scenario);
    case 'configure':
      return h.configure(request.args);
    case 'advance':
      return h.advance(request.args.untilNs, request.args.budgetMs);
    case 'seek':
      return h.seek(request.args.ns, request.args.position ?? null);
    case 'cancelSeek':
      h.cancelSeek();
      return null;
    case 'halt':
      h.cancel();
      return null;
    case 'step':
      return h.step(request.args);
    case 'watch':
      return h.watch(request.args.cpu);
    case 'look':
      return h.look();
    case 'edit':
      return h.edit(request.args);
    case 'decisions':
      return h.decisions(request.args);
    case 'compare':
      h.compare(request.args.lanes);
      return null;
    case 'past':
      return h.past(request.args);
    case 'samples':
      return h.samples(request.args);
    case 'limitsPast':
      return h.limitsPast(request.args);
    case 'moves':
      return h.moves(request.args.lane);
    case 'histogram':
      return h.histogram(request.args.lane, request.args.id);
    case 'explain':
      return h.explain(request.args.lane, request.args.of);
    case 'reasonCounts':
      return h.reasonCounts(request.args.lane);
    case 'shippedDigests':
      return h.shippedDigests();
    case 'opening':
      return h.opening();
    case 'follow':
      return h.follow(request.args);
    case 'settle':
      return h.own.settle();
    case 'takeBack': {
      const { events, atNs } = request.args;
      return h.own.takeBack(events, atNs);
    }
    case 'change':
      return h.own.change(request.args);
    case 'edited':
      return h.edited(request.args.wentBack);
    case 'trail':
      h.trail(request.args.lanes);
      return null;
  }
}
