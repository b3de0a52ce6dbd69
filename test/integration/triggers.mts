import { createHmac } from 'node:crypto';

import type { Deployment, Instance, NodeSpec } from './harness.mts';
import { harness } from './harness.mts';
import type { Service } from './service.mts';
import { byId } from './service.mts';

/** A trigger node on the sandbox's active campaign; `parameters` replace what is given here. */
export function triggerNode(service: Service, parameters: NodeSpec['parameters'] = {}): NodeSpec {
	return {
		name: 'Trigger',
		type: 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger',
		parameters: { campaign: byId(service.seed.campaigns.active), events: ['campaign_call.completed'], ...parameters },
	};
}

/** The parameters of a trigger on the sandbox's published agent. */
export const onAgent = (service: Service, events: string[] = ['event_phone_call_ended']): NodeSpec['parameters'] => ({
	source: 'agent',
	agent: byId(service.seed.agents.published),
	events,
});

/** The static data of the trigger. */
export interface Kept {
	webhookId: string;
	secret: string;
	headerValue?: string;
	former?: Array<{ secret: string; until?: number }>;
}

/** A published workflow of a trigger and a node after it. */
export interface Published {
	instance: Instance;
	deployment: Deployment;
	/** The webhook's id at the service. */
	webhookId: string;
	/** The secret that the trigger chose. */
	secret: string;
	url: string;
}

export function keptBy(deployment: Deployment): Kept {
	return deployment.storedStaticData()['node:Trigger'] as unknown as Kept;
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
	const { webhookId, secret } = keptBy(deployment);
	return { instance, deployment, webhookId, secret, url: deployment.webhookUrl() };
}

/** HMAC-SHA256 as a sender makes it. */
export function hmac(secret: string, text: string, encoding: 'hex' | 'base64' = 'hex'): string {
	return createHmac('sha256', secret).update(text).digest(encoding);
}

/** Sends a delivery directly, not through the sandbox. */
export async function send(
	url: string,
	body: string,
	headers: Record<string, string> = {},
	method = 'POST',
): Promise<{ status: number; text: string }> {
	const response = await fetch(url, { method, body, headers: { 'content-type': 'application/json', ...headers } });
	return { status: response.status, text: await response.text() };
}
