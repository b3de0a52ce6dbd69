import type { Step, Target } from './job.mts';

/** Our node. @param maxConcurrentRequests by default the node's default */
export function ours({ campaignId }: Target, maxConcurrentRequests?: number): Step {
	return {
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

/**
 * n8n's HTTP Request node with the same credential and body.
 *
 * @param batchSize requests that it starts together, every 20 ms; by default it starts all at once
 */
export function httpRequest({ url, campaignId }: Target, batchSize?: number): Step {
	return {
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
			options: batchSize === undefined ? {} : { batching: { batch: { batchSize, batchInterval: 20 } } },
		},
	};
}

/** Returns the step without the metadata; our node maps the variable without an expression. */
export function mapped({ parameters, ...step }: Step): Step {
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
