import { randomBytes } from 'node:crypto';

import { byId, type Instance, type WorkflowNode } from './instance.mts';
import type { Place } from './leaks.mts';

// Random: a secret must not occur anywhere by chance.
const random = () => randomBytes(24).toString('hex');
export const [token, otherToken, typedSecret, typedHeader] = [random(), random(), random(), random()];
const [sipPassword, sftpPassword, passphrase] = [random(), random(), random()];
/** The lines of a private key between its markers. */
const keyLines = [random(), random(), random()];
const marker = (edge: string) => `-----${edge} OPENSSH ${'PRIVATE'} KEY-----`;
const privateKey = [marker('BEGIN'), ...keyLines, marker('END'), ''].join('\n');
/** All that a user types into a node, part by part. */
export const typed = [typedSecret, typedHeader, sipPassword, sftpPassword, passphrase, ...keyLines];

/** The IDs of the sandbox that the nodes need. */
export interface Seed {
	agents: { published: string };
	campaigns: { active: string; paused: string; draft: string };
	sipTrunk: string;
}

const hook = { resource: 'webhook', operation: 'create', name: 'Hook', webhookUrl: 'https://example.com/hook' };
const headers = { extraHeaders: { values: [{ name: 'X-Key', value: typedHeader }] } };
const signed = { options: { signingSecret: typedSecret, ...headers } };

/** Operations that place calls, and one with secrets of the user. */
export function operations(n8n: Instance, seed: Seed): WorkflowNode[] {
	const [campaign, phoneNumber] = [byId(seed.campaigns.active), '+12025550122'];
	return [
		n8n.placing(seed.agents.published),
		n8n.action('Queue', { resource: 'campaign', operation: 'queueCall', campaign, phoneNumber }),
		n8n.action('Create', { ...hook, ...signed, campaign: byId(seed.campaigns.paused) }),
	];
}

/** The other kinds of secret, in an operation each. */
export function carriers(n8n: Instance, seed: Seed): WorkflowNode[] {
	const agent = byId(seed.agents.published);
	const login = { resource: 'campaignSftp', operation: 'create', host: 'sftp.example.com', username: 'ada' };
	const act = { resource: 'agentAction', operation: 'upsert', nodeId: 'ask', name: 'ask', description: 'Asks' };
	const byPassword = { authType: 'password', password: sftpPassword };
	const byKey = { authType: 'private_key', privateKey, options: { privateKeyPassphrase: passphrase } };
	const sipTrunk = { resource: 'sipTrunk', operation: 'update', sipTrunk: byId(seed.sipTrunk) };
	return [
		n8n.action('Act', { ...act, agent, type: 'webhook', url: 'https://example.com/ask', options: headers }),
		n8n.action('Watch', { ...hook, ...signed, source: 'agent', agent }),
		n8n.action('Log in', { ...login, ...byPassword, campaign: byId(seed.campaigns.active) }),
		n8n.action('Unlock', { ...login, ...byKey, campaign: byId(seed.campaigns.draft) }),
		n8n.action('Connect', { ...sipTrunk, updateFields: { password: sipPassword } }),
	];
}

/** The same places without what the user typed into a node, where it stands as the node's own parameter. */
export function* withoutParameters(places: Iterable<Place>): Generator<Place> {
	const quote = '\\\\*"';
	const parameter = (name: string, value: string) =>
		new RegExp(`${quote}${name}${quote}:\\s*${quote}${value}${quote}`, 'g');
	const parameters = [
		parameter('signingSecret', typedSecret),
		parameter('value', typedHeader),
		parameter('password', sipPassword),
		parameter('password', sftpPassword),
		parameter('privateKeyPassphrase', passphrase),
		// However deep the JSON is in which its line ends stand.
		parameter('privateKey', privateKey.replaceAll('\n', '\\\\+n')),
	];
	for (const { where, text } of places) {
		yield { where, text: parameters.reduce((rest, pattern) => rest.replace(pattern, ''), text) };
	}
}
