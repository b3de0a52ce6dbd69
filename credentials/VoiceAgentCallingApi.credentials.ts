import type { IAuthenticate, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { authorize } from '../nodes/shared/client/authorize';

export class VoiceAgentCallingApi implements ICredentialType {
	name = 'voiceAgentCallingApi';

	displayName = 'Voice Agent Calling API';

	icon: Icon = {
		light: 'file:../icons/voiceAgentCalling.svg',
		dark: 'file:../icons/voiceAgentCalling.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-voice-agent-calling/n8n-nodes-voice-agent-calling/blob/main/docs/connect.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the service, without a path. Use https. Plain http works only for a service on the same machine, such as the sandbox.',
		},
		{
			displayName: 'Environment Token',
			name: 'environmentToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				"Token of the environment, from the service's dashboard (Account → Environments). Anyone who has it can place calls that cost money.",
		},
		{
			displayName: 'Test Calls Only',
			name: 'testCallsOnly',
			type: 'boolean',
			default: false,
			description:
				"Whether every call that a node places or queues with this credential is a test call, whatever 'Test Call' in the node says. A test call uses no credits, but the phone may still ring. This does not apply to calls that the service places by itself: to imported contacts, and to everybody who is queued when a campaign becomes active.",
		},
		{
			displayName: 'Calls per Run (0 = No Limit)',
			name: 'callsPerRun',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			default: 0,
			description:
				'The most calls that one execution of a workflow can place or queue with this credential, including test calls. The items beyond the limit are not sent and get the result limitReached. Calls that the service places by itself do not count.',
		},
		{
			displayName: 'Calls per Day (0 = No Limit)',
			name: 'callsPerDay',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			default: 0,
			description:
				"The most real calls in one day (UTC). The node counts them in the service's list of calls before it calls. If it cannot read the list, it sends nothing. Test calls do not count.",
		},
	];

	authenticate: IAuthenticate = authorize;
}
