import type { Step, Target } from './job.mts';

/** The node that outputs one item per contact. @param first the index of the first contact */
export const source = (items: number, first: number): Step => ({
	name: 'Contacts',
	type: 'bench.contacts',
	parameters: { items, first },
});

/** Our node. @param maxConcurrentRequests by default the node's default */
export function ours({ campaignId }: Target, maxConcurrentRequests?: number): Step {
	return {
		name: 'Send',
		type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling',
		parameters: {
			resource: 'campaign',
			operation: 'queueCall',
			campaign: { __rl: true, mode: 'id', value: campaignId },
			phoneNumber: '={{ $json.to }}',
			agentVariables: { mappingMode: 'defineBelow', value: { name: '={{ $json.name }}' } },
			options: { metadataFields: { values: [{ name: 'contact', value: '={{ $json.id }}' }] } },
			sending: maxConcurrentRequests === undefined ? {} : { maxConcurrentRequests },
		},
	};
}

/** The node that does the minimum, with `inFlight` requests at a time. */
export function least({ url, campaignId }: Target, inFlight: number): Step {
	return {
		name: 'Send',
		type: 'bench.least',
		parameters: {
			url: `${url}/api/v1/campaigns/${campaignId}/call`,
			to: '={{ $json.to }}',
			name: '={{ $json.name }}',
			contact: '={{ $json.id }}',
			inFlight,
		},
	};
}

/** Settings of the HTTP Request node: Items per Batch, Batch Interval (ms). */
export interface Batches {
	size: number;
	interval: number;
}

/** n8n's HTTP Request node with the same credential and body. Without batches, it sends all requests at once. */
export function httpRequest({ url, campaignId }: Target, batches?: Batches): Step {
	const batching = batches && { batch: { batchSize: batches.size, batchInterval: batches.interval } };
	return {
		name: 'Send',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.3,
		parameters: {
			method: 'POST',
			url: `${url}/api/v1/campaigns/${campaignId}/call`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'voiceAgentCallingApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody:
				'={{ { to: $json.to, payload: { name: $json.name }, context: { contact: $json.id }, is_testing: false } }}',
			options: batching ? { batching } : {},
		},
	};
}

/** Returns the step with the number and the variable: our node maps the variable without an expression. */
export function mappedVariables({ parameters, ...step }: Step): Step {
	const changed: Record<string, Record<string, unknown>> = {
		'n8n-nodes-voice-agent-calling.voiceAgentCalling': {
			agentVariables: { mappingMode: 'autoMapInputData', value: null },
			options: {},
		},
		'n8n-nodes-base.httpRequest': {
			jsonBody: '={{ { to: $json.to, payload: { name: $json.name }, context: {}, is_testing: false } }}',
		},
		'bench.least': { contact: 1 },
	};
	return { ...step, parameters: { ...parameters, ...changed[step.type] } };
}

/** Returns the step with the number as the only expression. */
export function numberOnly({ parameters, ...step }: Step): Step {
	const constant: Record<string, Record<string, unknown>> = {
		'n8n-nodes-voice-agent-calling.voiceAgentCalling': {
			agentVariables: { mappingMode: 'defineBelow', value: null },
			options: {},
		},
		'n8n-nodes-base.httpRequest': { jsonBody: '={{ { to: $json.to, payload: {}, context: {}, is_testing: false } }}' },
		'bench.least': { name: 'Ada', contact: 1 },
	};
	return { ...step, parameters: { ...parameters, ...constant[step.type] } };
}
