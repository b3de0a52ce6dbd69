import './longTimers.mts';

export { closeAll, closeAtEnd } from './cleanup.mts';
export type { CredentialData } from './credentials.mts';
export type { Deployment, Publication } from './deployment.mts';
export type { CredentialTestResult, ListSearch } from './editor.mts';
export { listSearch, loadOptions, resourceMapperFields, testCredential } from './editor.mts';
export type { Execution, Instance, InstanceOptions } from './instance.mts';
export { startInstance } from './instance.mts';
export type { LogLine } from './n8n.mts';
export { logLines } from './n8n.mts';
export type { LoadedPackage } from './package.mts';
export { loadPackage, projectFolder } from './package.mts';
export type { NodeRun, RunOptions, StartedRun, WorkflowRun } from './run.mts';
export { runNode, runWorkflow, sourceOf, startWorkflow } from './run.mts';
export { startSandbox } from './sandbox.mts';
export { restoreTime, skipTime } from './time.mts';
export { type CallTool, mcpTool, packageWithTool, queuedMcpTool } from './tools.mts';
export type { NodeSpec, WorkflowSpec } from './workflow.mts';
