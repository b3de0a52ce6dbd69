import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { testVoiceAgentCallingApi } from '../shared/client/credentialTest';
import { listSearch, loadOptions } from '../shared/pickers/listSearch';
import { receiveDelivery } from './delivery/delivery';
import { eventHints } from './parameters/eventHints';
import { subtitle, triggerPanel } from './parameters/panel';
import { properties } from './parameters/settings';
import { checkExists, createRegistration, deleteRegistration } from './registration/registration';

export class VoiceAgentCallingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Agent Calling Trigger',
		name: 'voiceAgentCallingTrigger',
		icon: {
			light: 'file:../../icons/voiceAgentCalling.svg',
			dark: 'file:../../icons/voiceAgentCalling.dark.svg',
		},
		group: ['trigger'],
		// For version 1, n8n evaluates an expression at each delivery, for an option that its own Webhook node had.
		version: 2,
		subtitle,
		// In n8n's list of nodes this text stands for both nodes.
		description: 'Place calls, run campaigns, and start workflows on verified events of campaigns and voice agents',
		eventTriggerDescription: 'Waiting for an event at the test URL',
		activationMessage:
			'The webhook is registered with the service. From now on, its signed events start this workflow, except for the events of calls that a workflow waits for.',
		triggerPanel,
		builderHint: eventHints,
		defaults: { name: 'Voice Agent Calling Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'voiceAgentCallingApi', required: true, testedBy: 'testVoiceAgentCallingApi' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: 'noData',
				path: 'webhook',
			},
		],
		properties,
	};

	methods = {
		credentialTest: { testVoiceAgentCallingApi },
		listSearch: {
			searchAgents: listSearch.searchAgents,
			searchCampaigns: listSearch.searchCampaigns,
		},
		loadOptions: {
			getAdditionalEvents: loadOptions.getAdditionalEvents,
			getAgents: loadOptions.getAgents,
			getCampaigns: loadOptions.getCampaigns,
		},
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await checkExists(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await createRegistration(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await deleteRegistration(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveDelivery(this);
	}
}
