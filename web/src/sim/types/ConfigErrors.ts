// Generated from the core; do not edit.
import type { ConfigError } from "./ConfigError";

/**
 * Everything that is wrong with an input, as JSON `{"errors": […]}` on the boundary.
 */
export type ConfigErrors = {
/**
 * In the order of the file.
 */
errors: Array<ConfigError>, };
