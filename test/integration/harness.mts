import type * as Engine from './engine/index.mts';

/** The API of the test environment; see engine/index.mts. */
export const harness = (globalThis as unknown as { harness: typeof Engine }).harness;

export type * from './engine/index.mts';
