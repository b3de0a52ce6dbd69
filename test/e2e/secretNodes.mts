import { randomBytes } from 'node:crypto';

import type { Instance, WorkflowNode } from './instance.mts';
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

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const action = (n8n: Instance, name: string, parameters: Record<string, unknown>) =>
	n8n.node(name, 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, parameters);

/** Operations that place calls, and one with secrets of the user. */
export function operations(n8n: Instance, seed: Seed): WorkflowNode[] {
	return [
		action(n8n, 'Place', {
			resource: 'call',
			operation: 'place',
			agent: byId(seed.agents.published),
			phoneNumber: '+12025550111',
		}),
		action(n8n, 'Queue', {
			resource: 'campaign',
			operation: 'queueCall',
			campaign: byId(seed.campaigns.active),
			phoneNumber: '+12025550122',
		}),
		action(n8n, 'Create', {
			resource: 'webhook',
			operation: 'create',
			campaign: byId(seed.campaigns.paused),
			name: 'Hook',
			webhookUrl: 'https://example.com/hook',
			options: { signingSecret: typedSecret, extraHeaders: { values: [{ name: 'X-Key', value: typedHeader }] } },
		}),
	];
}

/** The other kinds of secret, in an operation each. */
export function carriers(n8n: Instance, seed: Seed): WorkflowNode[] {
	const headers = { extraHeaders: { values: [{ name: 'X-Key', value: typedHeader }] } };
	const agent = byId(seed.agents.published);
	const login = { resource: 'campaignSftp', operation: 'create', host: 'sftp.example.com', username: 'ada' };
	return [
		action(n8n, 'Act', {
			resource: 'agentAction',
			operation: 'upsert',
			agent,
			nodeId: 'ask',
			name: 'ask',
			description: 'Asks',
			type: 'webhook',
			url: 'https://example.com/ask',
			options: headers,
		}),
		action(n8n, 'Watch', {
			resource: 'webhook',
			source: 'agent',
			operation: 'create',
			agent,
			name: 'Hook',
			webhookUrl: 'https://example.com/hook',
			options: { ...headers, signingSecret: typedSecret },
		}),
		action(n8n, 'Log in', {
			...login,
			campaign: byId(seed.campaigns.active),
			authType: 'password',
			password: sftpPassword,
		}),
		action(n8n, 'Unlock', {
			...login,
			campaign: byId(seed.campaigns.draft),
			authType: 'private_key',
			privateKey,
			options: { privateKeyPassphrase: passphrase },
		}),
		action(n8n, 'Connect', {
			resource: 'sipTrunk',
			operation: 'update',
			sipTrunk: byId(seed.sipTrunk),
			updateFields: { password: sipPassword },
		}),
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
