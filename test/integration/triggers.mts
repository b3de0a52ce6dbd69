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

export interface Published {
	instance: Instance;
	deployment: Deployment;
	webhookId: string;
	secret: string;
	url: string;
}

/** A webhook at the service, with its signing secret, which the service never returns. */
export interface Registered {
	id: string;
	name: string;
	webhook_url: string;
	webhook_secret: string;
	custom_headers?: Array<{ key: string; value: string }>;
	events: string[];
	enabled: boolean;
	campaign_id?: string;
	agent_id?: string;
}

/** The webhooks that deliver to the production URL of a trigger. */
export async function registered(service: Service, deployment: Deployment): Promise<Registered[]> {
	const all = (await service.storedWebhooks()) as unknown as Registered[];
	return all.filter(({ webhook_url: url }) => url.startsWith(`${deployment.webhookUrl()}?`));
}

/** Starts an n8n with one published trigger. */
export async function publishTrigger(
	service: Service,
	parameters: NodeSpec['parameters'] = {},
	settings: Partial<NodeSpec> = {},
): Promise<Published> {
	const instance = await harness.startInstance({ credentials: service.credentials() });
	const deployment = instance.deploy({
		nodes: [
			{ ...triggerNode(service, parameters), ...settings },
			{ name: 'Next', type: 'harness.noOp' },
		],
	});
	const { error } = await deployment.publish();
	if (error) {
		throw error;
	}
	const [{ id: webhookId, webhook_secret: secret, webhook_url: url }] = await registered(service, deployment);
	return { instance, deployment, webhookId, secret, url };
}

export function hmac(secret: string, text: string, encoding: 'hex' | 'base64' = 'hex'): string {
	return createHmac('sha256', secret).update(text).digest(encoding);
}

export async function send(
	url: string,
	body: string | undefined,
	headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
	const response = await fetch(url, {
		method: 'POST',
		body,
		headers: { 'content-type': 'application/json', ...headers },
	});
	return { status: response.status, text: await response.text() };
}
