import type * as Engine from './engine/index.mts';

/**
 * The kit of the integration tests. `harness` runs the nodes in n8n's own engine, with the parts of n8n around it
 * rebuilt in engine/: `runNode` and `runWorkflow` an execution, `mcpTool` a tool, `listSearch` what the editor asks,
 * `startInstance` an n8n with webhooks, `skipTime` the clock. service.mts starts the sandbox and reads what a run gave,
 * triggers.mts publishes triggers, and changedService.mts and receiver.mts stand in for other servers.
 */
export const harness = (globalThis as unknown as { harness: typeof Engine }).harness;

export type * from './engine/index.mts';
