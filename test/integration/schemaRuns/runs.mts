import type { NodeSpec } from '../harness.mts';
import type { Service } from '../service.mts';

export type Parameters = NodeSpec['parameters'];

/**
 * Runs that show every field which the operations of a resource can give, by operation and in this order: one
 * sandbox serves them all. What has to be there first, a function makes.
 */
export type Runs = (service: Service) => Record<string, Parameters[] | (() => Promise<Parameters[]>)>;
