// Generated from the core; do not edit.
import type { BehaviourEntry } from "./BehaviourEntry";
import type { BoundEntry } from "./BoundEntry";
import type { CauseEntry } from "./CauseEntry";
import type { FrameLayout } from "./FrameLayout";
import type { FunctionEntry } from "./FunctionEntry";
import type { MachineEntry } from "./MachineEntry";
import type { MetricEntry } from "./MetricEntry";
import type { Property } from "./Property";
import type { ScenarioEntry } from "./ScenarioEntry";
import type { SchedulerEntry } from "./SchedulerEntry";

/**
 * What this build of the core can do.
 */
export type Catalog = {
/**
 * Version of the core.
 */
version: string,
/**
 * Version of the scenario format.
 */
scenarioVersion: number,
/**
 * Schedulers in display order. Those of the family `recorded` come last; no list offers them.
 */
schedulers: Array<SchedulerEntry>,
/**
 * Machine presets in display order.
 */
machines: Array<MachineEntry>,
/**
 * Thread behaviours in display order.
 */
behaviours: Array<BehaviourEntry>,
/**
 * Metrics in the order of `metrics()` values.
 */
metrics: Array<MetricEntry>,
/**
 * Names of the causes that split a thread's CPU time, in column order.
 */
causes: Array<CauseEntry>,
/**
 * Trace record kinds; the position is the code.
 */
traceKinds: Array<string>,
/**
 * Where things are in a frame.
 */
frame: FrameLayout,
/**
 * Allowed ranges of scenario numbers.
 */
bounds: Array<BoundEntry>,
/**
 * What `set PATH = VALUE` may change.
 */
properties: Array<Property>,
/**
 * Functions of the measure language.
 */
functions: Array<FunctionEntry>,
/**
 * Shipped scenarios.
 */
scenarios: Array<ScenarioEntry>, };
