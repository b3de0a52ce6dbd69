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
export interface RawRegistration {
	webhooks?: Array<{ source: 'agent' | 'campaign'; ownerId: string; webhookId: string }>;
	secret: string;
	former?: Array<{ secret: string; until?: number }>;
}

/** The same for the first webhook of the trigger: its ID, and the secrets that its deliveries are signed with. */
export interface StoredRegistration extends RawRegistration {
	webhookId: string;
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

/** The static data of the trigger. */
export function rawRegistration(deployment: Deployment): RawRegistration {
	return deployment.storedStaticData()['node:Trigger'] as unknown as RawRegistration;
}

/** The owner of the first webhook that each trigger had last. */
const lastOwners = new WeakMap<Deployment, { source: string; ownerId: string }>();

/** The signing secret of a webhook, from that of its trigger. */
export function secretOf(secret: string, { source, ownerId }: { source: string; ownerId: string }): string {
	return hmac(secret, `${source} ${ownerId}`);
}

export function storedRegistration(deployment: Deployment): StoredRegistration {
	const raw = rawRegistration(deployment) ?? {};
	const [first] = raw.webhooks ?? [];
	const owner = first ?? lastOwners.get(deployment);
	if (owner === undefined) {
		return raw as StoredRegistration;
	}
	lastOwners.set(deployment, owner);
	const derived = <Key extends { secret: string }>(key: Key): Key => ({ ...key, secret: secretOf(key.secret, owner) });
	const { webhooks: _, former, ...rest } = raw;
	return {
		...(rest.secret === undefined ? rest : derived(rest)),
		...(first && { webhookId: first.webhookId }),
		...(former && { former: former.map(derived) }),
	} as StoredRegistration;
}

/** The URL of the webhook of an owner: by default, of the first one that is registered. */
export function webhookUrlOf(deployment: Deployment, owner?: { source: string; ownerId: string }): string {
	const { source, ownerId } = { ...rawRegistration(deployment)?.webhooks?.[0], ...owner };
	return `${deployment.webhookUrl()}?${source}=${ownerId}`;
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
	return { instance, deployment, webhookId, secret, url: webhookUrlOf(deployment) };
}

/** HMAC-SHA256 of a text. */
export function hmac(secret: string, text: string, encoding: 'hex' | 'base64' = 'hex'): string {
	return createHmac('sha256', secret).update(text).digest(encoding);
}

/** Sends a delivery with any body and headers. */
export async function send(
	url: string,
	body: string | undefined,
	headers: Record<string, string> = {},
	method = 'POST',
): Promise<{ status: number; text: string }> {
	const response = await fetch(url, { method, body, headers: { 'content-type': 'application/json', ...headers } });
	return { status: response.status, text: await response.text() };
}
