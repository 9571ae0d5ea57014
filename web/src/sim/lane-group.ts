/**
 * Looks to the client like one worker. It uses several where a scenario has several lanes and the machine has cores
 * for them: each worker has some of the lanes and gets one message for each picture. The clock is kept here. All
 * workers get the same target, and answer when they have reached it or spent their time. The next target is the
 * time that the slowest will reach within a slice; it is sent only when all have reached the last one. Any other
 * request goes to all workers, and begins when all lanes stand at the same time.
 *
 * The first worker reads the scenario; the others get the scenario that it returns. With one lane, with one core, or
 * if another worker does not start, the first worker has all lanes and gets all requests unchanged.
 */
import type { WorkerLike } from './client';
import { Difference } from './difference';
import { type EditedLanes, LiveEdits } from './live-edit';
import { type Listener, Member } from './member';
import { commonNow, later, together } from './merge';
import { beforeItIsOver, blockOf, SLICE_MS } from './parts';
import type { CallName, Calls, LanesUpdate, Position, Reply, Request } from './protocol';
import type { Scenario } from './types/Scenario';

/** A worker whose target is too far stops after this time; all others wait for it. */
const MOST_MS = 2 * SLICE_MS;
/** The next target is at most this many times as far as the last. */
const GROWTH = 4;
const LEAST_REACH_NS = 1_000;
const FIRST_REACH_NS = 1_000_000;
/** Resolution of browsers' clocks. */
const LEAST_WORK_MS = 0.1;

/** A worker with its lanes. */
interface Share {
  readonly member: Member;
  /** Its lanes in the scenario: from the first to before the last. */
  readonly from: number;
  readonly to: number;
  /** Its last position, and its update that the page has not got yet. */
  stand: Pick<LanesUpdate, 'nowNs' | 'finished'>;
  unsent: LanesUpdate | null;
}

type Configured = Extract<Calls['configure']['result'], { scenario: Scenario }>;

/** Kinds of requests about one lane: the worker of that lane answers. */
const OF_A_LANE = [
  'decisions',
  'past',
  'samples',
  'limitsPast',
  'histogram',
  'moves',
  'reasonCounts',
  'explain',
] as const;
type OfALane = Extract<Request, { kind: (typeof OF_A_LANE)[number] }>;

const isOfALane = (request: Request): request is OfALane =>
  (OF_A_LANE as readonly CallName[]).includes(request.kind);

const MERGED = ['advance', 'seek', 'step', 'watch', 'look', 'edit', 'compare'] as const;
type OfAll = Extract<Request, { kind: (typeof MERGED)[number] }>;

const isOfAll = (request: Request): request is OfAll =>
  (MERGED as readonly CallName[]).includes(request.kind);

/** See the module comment. */
export class LaneGroup implements WorkerLike {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly #spawn: () => WorkerLike;
  /** Most workers. */
  #most: number;
  readonly #first: Member;
  /** Empty if the first worker has all lanes. */
  #shares: readonly Share[] = [];
  readonly #others: Member[] = [];
  /** Workers that were heard since the page last learned that work goes on. */
  readonly #heard = new Set<Member>();
  /** Requests are served one after the other. */
  #last: Promise<void> = Promise.resolve();
  /** Rises when work in progress is cancelled. */
  #wanted = 0;
  #isSeeking = false;
  /** Whether lanes stand at different times: some have not reached the last target, or were stopped on their way. */
  #isApart = false;
  /** Simulated time that all lanes can run in a slice. */
  #reachNs = FIRST_REACH_NS;
  #edits = new LiveEdits();
  #compared: { readonly lanes: readonly [number, number]; readonly difference: Difference } | null =
    null;

  /** Starts the first worker. */
  constructor(spawn: () => WorkerLike, most: number) {
    this.#spawn = spawn;
    this.#most = most;
    this.#first = new Member(spawn(), this.#listener);
  }

  readonly #listener: Listener = {
    passed: (event) => {
      this.onmessage?.(event);
    },
    heard: (member) => {
      this.#alive(member);
    },
    lost: (event) => {
      this.onmessage?.(event);
    },
    failed: (event) => {
      this.onerror?.(event);
    },
  };

  get #members(): readonly Member[] {
    return [this.#first, ...this.#others];
  }

  postMessage(request: Request): void {
    if (request.kind === 'cancelSeek' && this.#shares.length === 0) {
      this.#first.pass(request);
      return;
    }
    if (request.kind === 'cancelSeek' || request.kind === 'halt') {
      if (request.kind === 'halt' || this.#isSeeking) this.#cancel();
      this.#answer(request, null);
      return;
    }
    if (request.kind === 'configure') this.#cancel();
    this.#last = this.#last.then(() => this.#serve(request));
  }

  terminate(): void {
    this.onmessage = null;
    this.onerror = null;
    for (const member of this.#members) member.end();
  }

  #cancel(): void {
    this.#wanted += 1;
    for (const member of this.#members) void member.call('halt', null);
  }

  #say(data: Reply): void {
    this.onmessage?.({ data } as MessageEvent<Reply>);
  }

  #answer({ id, epoch }: Request, value: Calls[CallName]['result']): void {
    this.#say({ kind: 'result', id, epoch, value });
  }

  /** Reports that work goes on when all busy workers have said so: the silence of one counts as silence. */
  #alive(from: Member): void {
    this.#heard.add(from);
    const busy = this.#members.filter((member) => member.owes);
    if (busy.some((member) => !this.#heard.has(member))) return;
    this.#heard.clear();
    const reached = busy.flatMap(({ reachedNs }) => reachedNs ?? []);
    this.#say({ kind: 'alive', reachedNs: reached.length > 0 ? Math.min(...reached) : null });
  }

  async #serve(request: Request): Promise<void> {
    try {
      if (request.kind === 'configure' && this.#most > 1)
        this.#answer(request, await this.#configure(request.args));
      else if (this.#shares.length > 0 && isOfALane(request)) this.#passToOwner(request);
      else if (this.#shares.length > 0 && isOfAll(request))
        this.#answer(request, await this.#ask(request));
      else this.#first.pass(request);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#say({ kind: 'refused', id: request.id, epoch: request.epoch, message });
    }
  }

  #passToOwner(request: OfALane): void {
    const share = this.#ownerOf(request.args.lane);
    // The first worker answers that there is no such lane.
    if (!share) this.#first.pass(request);
    else {
      const args = { ...request.args, lane: request.args.lane - share.from };
      share.member.pass({ ...request, args } as Request);
    }
  }

  #ownerOf(lane: number): Share | undefined {
    if (!Number.isInteger(lane)) return undefined;
    return this.#shares.find(({ from, to }) => lane >= from && lane < to);
  }

  async #ask(request: OfAll): Promise<Calls[CallName]['result']> {
    const { kind, args } = request;
    if (kind === 'advance') return this.#advance(args.untilNs);
    if (kind === 'seek') return this.#seek(args.ns, args.position ?? null);
    if (kind === 'compare') return this.#compare(args.lanes);
    if (this.#isApart) await this.#meet();
    switch (kind) {
      case 'step':
        return this.#step(args);
      case 'edit':
        return this.#edit(args);
      default:
        await this.#all((share) => share.member.call(kind, args as never) as Promise<LanesUpdate>);
        return this.#tell();
    }
  }

  /** Asks some workers and takes their updates. */
  async #all(
    ask: (share: Share) => Promise<LanesUpdate>,
    of: readonly Share[] = this.#shares,
  ): Promise<readonly LanesUpdate[]> {
    return Promise.all(
      of.map(async (share) => {
        const moment = await ask(share);
        this.#take(share, moment);
        return moment;
      }),
    );
  }

  #take(share: Share, moment: LanesUpdate): void {
    share.stand = { nowNs: moment.nowNs, finished: moment.finished };
    share.unsent = later(share.unsent, moment);
    if (!this.#compared) return;
    const { lanes, difference } = this.#compared;
    const [a, b] = lanes.map((lane) => moment.lanes[lane - share.from]?.trail);
    if (!a && !b) return;
    const nothing = new Float64Array();
    difference.take(a ?? nothing, b ?? nothing);
    // The difference is found, so no more trails are needed.
    if (difference.foundNs !== null) void this.#tellTrails([]);
  }

  /** The update that the page has not got yet. */
  #tell(): LanesUpdate {
    const parts = this.#shares.flatMap(({ unsent }) => unsent ?? []);
    for (const share of this.#shares) share.unsent = null;
    return together(parts, this.#compared?.difference.foundNs ?? null);
  }

  get #nowNs(): number {
    return commonNow(this.#shares.map(({ stand }) => stand));
  }

  async #configure(args: Calls['configure']['args']): Promise<Calls['configure']['result']> {
    const { at, position = null } = args;
    const wanted = this.#wanted;
    const most = this.#most;
    const read = await this.#first.call('configure', { ...args, part: { index: 0, most } });
    if ('problems' in read) return read;
    this.#shares = [];
    this.#compared = null;
    this.#isApart = false;
    while (this.#others.length > read.parts - 1) this.#others.pop()?.end();
    if (read.parts === 1) return read;
    const opening = at === 'opening' ? this.#first.call('opening', null) : Promise.resolve(at);
    // A rejection counts only where it is awaited: another worker may fail first.
    opening.catch(() => undefined);
    try {
      await this.#share(read);
    } catch {
      // From now on one worker has all lanes.
      this.#most = 1;
      while (this.#others.length > 0) this.#others.pop()?.end();
      await opening;
      const isWanted = wanted === this.#wanted;
      const { scenario } = read;
      return this.#first.call('configure', { scenario, at: isWanted ? at : 0, position });
    }
    // If the search was given up, the run stands at its start.
    await this.#go((await opening) ?? 0, at === 'opening' ? null : position);
    if (at === 'opening' && wanted === this.#wanted) await this.#beforeAnyIsOver();
    if (wanted !== this.#wanted) await this.#meet();
    return { ...read, moment: this.#tell() };
  }

  /** Gives the other workers their lanes. */
  async #share({ scenario, parts }: Configured): Promise<void> {
    const lanes = scenario.schedulers.length;
    const most = this.#most;
    const begun = this.#others.length;
    while (this.#others.length < parts - 1)
      this.#others.push(new Member(this.#spawn(), this.#listener));
    await Promise.all(
      this.#others.map(async (member, i) => {
        const args = { scenario, at: 0, part: { index: i + 1, most } };
        const made = await (i < begun
          ? member.call('configure', args)
          : member.begin('configure', args));
        if ('problems' in made) throw new Error(made.problems[0]?.message ?? 'refused');
      }),
    );
    this.#edits = new LiveEdits();
    this.#shares = this.#members.map((member, i) => {
      const [from, to] = blockOf(lanes, parts, i);
      return { member, from, to, stand: { nowNs: 0, finished: false }, unsent: null };
    });
  }

  async #beforeAnyIsOver(): Promise<void> {
    const over = this.#shares.flatMap(({ unsent }) => unsent?.overNs ?? []);
    if (over.length > 0) await this.#go(beforeItIsOver(Math.min(...over)), null);
  }

  /** Sends all lanes to a time; they may be stopped on the way. */
  async #go(ns: number, position: Position | null): Promise<void> {
    const exact = position ? this.#ownerOf(position.lane) : undefined;
    await this.#all((share) =>
      share.member.call('seek', {
        ns,
        position:
          position && share === exact ? { ...position, lane: position.lane - share.from } : null,
      }),
    );
    this.#isApart = false;
  }

  async #seek(ns: number, position: Position | null): Promise<LanesUpdate> {
    const wanted = this.#wanted;
    this.#isSeeking = true;
    try {
      await this.#go(ns, position);
    } finally {
      this.#isSeeking = false;
    }
    if (wanted !== this.#wanted) await this.#meet();
    return this.#tell();
  }

  /** Takes lanes that are ahead back to the others. That is quick, as there are kept states on the way. */
  async #meet(): Promise<void> {
    const ns = this.#nowNs;
    const ahead = this.#shares.filter(({ stand }) => stand.nowNs > ns);
    await this.#all(({ member }) => member.call('seek', { ns }), ahead);
    this.#noteWhetherApart();
  }

  #noteWhetherApart(): void {
    const ns = this.#nowNs;
    this.#isApart = this.#shares.some(({ stand }) => stand.nowNs > ns);
  }

  async #advance(untilNs: number): Promise<LanesUpdate> {
    const before = this.#nowNs;
    // First, all go to the time of the lane that is furthest ahead.
    const going = this.#shares.filter(({ stand }) => !stand.finished);
    const aheadNs = Math.max(0, ...going.map(({ stand }) => stand.nowNs));
    const nextNs = aheadNs > before ? aheadNs : before + this.#reachNs;
    const args = { untilNs: Math.min(untilNs, nextNs), budgetMs: MOST_MS };
    const moments = await this.#all(({ member }) => member.call('advance', args));
    this.#noteWhetherApart();
    const gone = this.#nowNs - before;
    const workMs = Math.max(LEAST_WORK_MS, ...moments.map((moment) => moment.workMs));
    // Short work predicts the cost of longer work badly, so the target grows slowly.
    const reachNs = Math.min(GROWTH * Math.max(gone, this.#reachNs), (gone * SLICE_MS) / workMs);
    if (gone > 0) this.#reachNs = Math.max(LEAST_REACH_NS, reachNs);
    else this.#reachNs = Math.max(LEAST_REACH_NS, this.#reachNs / 2);
    return this.#tell();
  }

  async #step({ lane, ...rest }: Calls['step']['args']): Promise<Calls['step']['result']> {
    const share = this.#ownerOf(lane);
    const [first] = this.#shares;
    const stepping = share ?? first;
    if (!stepping) throw new Error('no lane to step');
    const before = this.#nowNs;
    const own = { lane: lane - (share?.from ?? 0), ...rest };
    const { found, moment, atNs } = await stepping.member.call('step', own);
    this.#take(stepping, moment);
    // A lane that ended long ago does not take the others back to its end.
    const ns = rest.back ? atNs : Math.max(before, atNs);
    const others = this.#shares.filter((other) => other !== stepping);
    await this.#all(({ member }) => member.call('follow', { ns, back: rest.back }), others);
    return { moment: this.#tell(), found, atNs };
  }

  async #edit(args: Calls['edit']['args']): Promise<Calls['edit']['result']> {
    const shares = this.#shares;
    const each = async <T>(ask: (share: Share) => Promise<readonly T[]>): Promise<readonly T[]> =>
      (await Promise.all(shares.map(ask))).flat();
    const lanes: EditedLanes = {
      settle: () => each(({ member }) => member.call('settle', null)),
      takeBack: (events, atNs) =>
        each(({ member, from, to }) =>
          member.call('takeBack', { events: events.slice(from, to), atNs }),
        ),
      change: (step) => each(({ member }) => member.call('change', step)),
    };
    const { problems, wentBack } = await this.#edits.make(args, lanes, this.#nowNs);
    if (this.#compared) {
      this.#compared.difference.restart();
      await this.#tellTrails(this.#compared.lanes);
    }
    await this.#all(({ member }) => member.call('edited', { wentBack }));
    return { problems, moment: this.#tell() };
  }

  async #compare(lanes: readonly [number, number] | null): Promise<null> {
    for (const lane of lanes ?? [])
      if (!this.#ownerOf(lane)) throw new Error(`there is no lane ${String(lane + 1)}`);
    this.#compared = lanes && { lanes, difference: new Difference() };
    await this.#tellTrails(lanes ?? []);
    return null;
  }

  /** Requests the trails of these lanes from their workers, from the oldest records on. */
  async #tellTrails(lanes: readonly number[]): Promise<void> {
    await Promise.all(
      this.#shares.map(({ member, from, to }) => {
        const own = lanes.filter((lane) => lane >= from && lane < to);
        return member.call('trail', { lanes: own.map((lane) => lane - from) });
      }),
    );
  }
}
