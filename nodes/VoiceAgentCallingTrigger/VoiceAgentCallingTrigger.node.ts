import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { listSearch } from '../shared/listSearch';
import { receiveDelivery } from './delivery';
import { checkExists, create, deleteRegistration } from './registration';
import { properties } from './settings';

export class VoiceAgentCallingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Agent Calling Trigger',
		name: 'voiceAgentCallingTrigger',
		icon: {
			light: 'file:../../icons/voiceAgentCalling.svg',
			dark: 'file:../../icons/voiceAgentCalling.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ [$parameter["events"]].flat().length === 1 ? [$parameter["events"]].flat()[0] : [$parameter["events"]].flat().length + " events" }}',
		// In n8n's list of nodes this text stands for both nodes.
		description: 'Place calls, run campaigns, and start workflows on verified events of a campaign',
		eventTriggerDescription: 'Waiting for an event of the campaign',
		activationMessage:
			'The webhook is registered with the campaign. Events that are signed by the service now start this workflow.',
		defaults: { name: 'Voice Agent Calling Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'voiceAgentCallingApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: '={{ $parameter["options"]["deliveryMethod"] || "POST" }}',
				responseMode: 'onReceived',
				responseData: 'noData',
				path: 'webhook',
			},
		],
		properties,
	};

	methods = { listSearch: { searchCampaigns: listSearch.searchCampaigns } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await checkExists(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await create(this);
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
