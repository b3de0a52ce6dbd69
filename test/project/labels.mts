/** What pages name in n8n's editor: the label, and the key of its text in n8n's own list of texts. */
export const inEditor: Readonly<Record<string, string>> = {
	Actions: 'nodeCreator.actionsCategory.actions',
	'Add first step…': 'nodeView.canvasAddButton.addFirstStep',
	'Always Output Data': 'nodeSettings.alwaysOutputData.displayName',
	'Community nodes': 'settings.communityNodes',
	'Connection tested successfully': 'credentialEdit.credentialConfig.connectionTestedSuccessfully',
	Continue: 'nodeSettings.onError.options.continueRegularOutput.displayName',
	'Continue (using error output)': 'nodeSettings.onError.options.continueErrorOutput.displayName',
	'Create credential': 'projects.header.create.credential',
	Credentials: 'mainSidebar.credentials',
	'Data tables': 'dataTable.dataTables',
	'Edit Output': 'runData.editOutput',
	'Enable MCP access': 'settings.mcp.actionBox.button.label',
	Evaluations: 'evaluations.emptyState.title',
	'Execute Once': 'nodeSettings.executeOnce.displayName',
	'Execute step': 'ndv.execute.testNode',
	'Execute workflow': 'nodeView.runButtonText.executeWorkflow',
	Executions: 'generic.executions',
	'Export JSON': 'menuActions.exportJson',
	Fixed: 'parameterInput.fixed',
	'From file': 'menuActions.importFromFile',
	Import: 'menuActions.import',
	Install: 'settings.communityNodes.installModal.installButton.label',
	'Instance-level MCP': 'settings.mcp',
	Logs: 'logs.overview.header.title',
	'Map Automatically': 'resourceMapper.mappingMode.autoMapInputData.name',
	'On Error': 'nodeSettings.onError.displayName',
	'Production URL': 'nodeWebhooks.productionUrl',
	Retry: 'generic.retry',
	'Retry On Fail': 'nodeSettings.retryOnFail.displayName',
	Save: 'generic.save',
	Settings: 'nodeSettings.settings',
	'Stop Workflow': 'nodeSettings.onError.options.stopWorkflow.displayName',
	Waiting: 'executionsList.waiting',
	Workflows: 'mainSidebar.workflows',
};

const base = 'n8n-nodes-base';
const langchain = '@n8n/n8n-nodes-langchain';

/** The nodes of n8n that pages name, their fields and choices: the label, and the node that has it. */
export const inNodes: Readonly<Record<string, `${typeof base | typeof langchain}.${string}`>> = {
	'AI Agent': `${langchain}.agent`,
	'Batch Size': `${base}.splitInBatches`,
	'Execute Sub-workflow': `${base}.executeWorkflow`,
	File: `${base}.httpRequest`,
	Filter: `${base}.filter`,
	'HTTP Method': `${base}.webhook`,
	'Header Auth': `${base}.webhook`,
	If: `${base}.if`,
	'Loop Over Items': `${base}.splitInBatches`,
	'MCP Server Trigger': `${langchain}.mcpTrigger`,
	'Remove Duplicates': `${base}.removeDuplicates`,
	Respond: `${base}.webhook`,
	'Respond to Webhook': `${base}.respondToWebhook`,
	'Run once for each item': `${base}.executeWorkflow`,
	'Schedule Trigger': `${base}.scheduleTrigger`,
	Summarize: `${base}.summarize`,
	Switch: `${base}.switch`,
	"Using 'Respond to Webhook' Node": `${base}.webhook`,
	'Wait For Sub-Workflow Completion': `${base}.executeWorkflow`,
};

/** What is no label of n8n and its nodes: what a person has named, what the service's dashboard has, and words. */
export const others: readonly string[] = [
	'Account',
	'Environments',
	'Get Rows',
	'Leads 2026',
	'Voice Agent Calling Service',
	// Made by n8n of the name of a node, and of the icon beside a field.
	'Defined automatically',
	'Defined automatically by the model',
	'Tool',
	'Voice Agent Calling Tool',
	'Refresh Variable List',
	// In a list that the node makes when it is opened.
	'From the Number',
	// n8n 1.
	'Active',
	// The sandbox's console.
	'Use it',
	// Words.
	'All phones may ring at once',
	'Its fields',
	'No calls were placed',
	'Not repeated',
	'Outcome unknown',
	'Pause your campaigns',
	'Real calls, also by hand',
	'Test Call: Automatic',
	'This is no legal advice',
	'Yours',
];
