import { createHmac } from 'node:crypto';

import { type Deployment, harness, type Instance, type NodeSpec } from './harness.mts';
import { byId, type Service } from './service.mts';

/** A trigger node on the sandbox's active campaign; `parameters` replace what is given here. */
export function triggerNode(service: Service, parameters: NodeSpec['parameters'] = {}): NodeSpec {
	return {
		name: 'Trigger',
		type: 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger',
		parameters: { campaign: byId(service.seed.campaigns.active), events: ['campaign_call.completed'], ...parameters },
	};
}

/** Parameters of a trigger on the sandbox's published agent. */
export const onAgent = (service: Service, events: string[] = ['event_phone_call_ended']): NodeSpec['parameters'] => ({
	source: 'agent',
	agent: byId(service.seed.agents.published),
	events,
});

/** The trigger's registration, as n8n stores it in the static data. */
export interface StoredRegistration {
	webhookId: string;
	secret: string;
	headerValue?: string;
	former?: Array<{ secret: string; until?: number }>;
}

/** A published workflow of a trigger and a node. */
export interface Published {
	instance: Instance;
	deployment: Deployment;
	/** ID of the webhook at the service. */
	webhookId: string;
	/** The signing secret. */
	secret: string;
	url: string;
}

export function storedRegistration(deployment: Deployment): StoredRegistration {
	return deployment.storedStaticData()['node:Trigger'] as unknown as StoredRegistration;
}

/** Starts an n8n with one published trigger. */
export async function publishTrigger(service: Service, parameters: NodeSpec['parameters'] = {}): Promise<Published> {
	const instance = await harness.startInstance({ credentials: service.credentials() });
	const deployment = instance.deploy({
		nodes: [triggerNode(service, parameters), { name: 'Next', type: 'harness.noOp' }],
	});
	const { error } = await deployment.publish();
	if (error) {
		throw error;
	}
	const { webhookId, secret } = storedRegistration(deployment);
	return { instance, deployment, webhookId, secret, url: deployment.webhookUrl() };
}

/** HMAC-SHA256 of a text. */
export function hmac(secret: string, text: string, encoding: 'hex' | 'base64' = 'hex'): string {
	return createHmac('sha256', secret).update(text).digest(encoding);
}

/** Sends a delivery with any body and headers. */
export async function send(
	url: string,
	body: string,
	headers: Record<string, string> = {},
	method = 'POST',
): Promise<{ status: number; text: string }> {
	const response = await fetch(url, { method, body, headers: { 'content-type': 'application/json', ...headers } });
	return { status: response.status, text: await response.text() };
}
