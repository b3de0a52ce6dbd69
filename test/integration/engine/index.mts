import './longTimers.mts';

export { closeAll, closeAtEnd, startSandbox } from './cleanup.mts';
export type { Deployment, Publication } from './deployment.mts';
export { listSearch, loadOptions, testCredential } from './editor.mts';
export { restoreEnvironment, setEnvironment } from './environmentVariables.mts';
export type { Instance } from './instance.mts';
export { startInstance } from './instance.mts';
export { logLines, n8n } from './n8n.mts';
export type { LoadedPackage } from './package.mts';
export { forgetPackage, loadAgain, loadPackage, runSources } from './package.mts';
export type { NodeRun, RunOptions, WorkflowRun } from './run.mts';
export { retryWorkflow, runNode, runWorkflow, sourceOf, startWorkflow } from './run.mts';
export { passTime, restoreTime, setClockBack, skipTime } from './time.mts';
export { batchTools, type CallTool, mcpTool, packageWithTool, queuedMcpTool } from './tools.mts';
export type { NodeSpec, WorkflowSpec } from './workflow.mts';
