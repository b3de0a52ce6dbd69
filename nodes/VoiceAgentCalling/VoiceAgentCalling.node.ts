import {
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
	type ResourceMapperFields,
} from 'n8n-workflow';

import { testVoiceAgentCallingApi } from '../shared/client/credentialTest';
import { hintsAfterWait } from '../shared/n8nInternals';
import { listSearch, loadOptions } from '../shared/pickers/listSearch';
import { nodeProperties } from './operation/description';
import { resources } from './resources';
import { callHints } from './resources/callHints';
import { resumeWebhooks, WAITING_TOOLTIP } from './waiting/resume';

export class VoiceAgentCalling implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Agent Calling',
		name: 'voiceAgentCalling',
		icon: {
			light: 'file:../../icons/voiceAgentCalling.svg',
			dark: 'file:../../icons/voiceAgentCalling.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Place phone calls with voice agents and run campaigns of calls. Placing and queueing calls makes real phones ring.',
		defaults: { name: 'Voice Agent Calling' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint: callHints,
		credentials: [{ name: 'voiceAgentCallingApi', required: true, testedBy: 'testVoiceAgentCallingApi' }],
		webhooks: resumeWebhooks,
		waitingNodeTooltip: WAITING_TOOLTIP,
		properties: nodeProperties(resources, 'call'),
	};

	methods = {
		credentialTest: { testVoiceAgentCallingApi },
		listSearch,
		loadOptions,
		resourceMapping: {
			/** Returns the columns of Agent Variables. */
			async getAgentVariables(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
				const { agentVariableColumns } = await import('./callRules/variableColumns.js');
				return await agentVariableColumns(this);
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const hints = hintsAfterWait(this);
		if (hints !== undefined) {
			this.addExecutionHints(...hints.map((message) => ({ message })));
			return [this.getInputData()];
		}
		// Imported on first use, because n8n needs only the description at its start.
		const { runOperation } = await import('./run/runOperation.js');
		return await runOperation(this, resources);
	}

	/** Resumes an execution that waits for the outcome of its calls or the end of campaigns. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { resumeWaiting } = await import('./waiting/resume.js');
		return await resumeWaiting(this);
	}
}
