import { resumeAddress } from '../../../../nodes/shared/n8nInternals.ts';
import { addressHere, isOwnAddress, resumesHere } from '../../../../nodes/shared/triggerClient/ownAddress.ts';
import { doubleOfN8n } from '../../n8n.mts';

/** An n8n that resumes executions at this address. */
const n8nAt = (url: string) => doubleOfN8n({ expressions: { '{{ $execution.resumeUrl }}': url } }).caller;

const root = n8nAt('https://n8n.example/webhook-waiting/77?signature=s');
const apart = Object.assign(n8nAt('https://n8n.example/webhook-waiting/77'), {
	additionalData: { webhookBaseUrl: 'https://hooks.example/in' },
});
const below = n8nAt('https://example.com:5678/n8n/webhook-waiting/77');

test('the address that resumes an execution is the one that n8n gives', () => {
	expect(resumeAddress(root)).toBe('https://n8n.example/webhook-waiting/77?signature=s');
});

test.each([
	[true, root, 'https://n8n.example/webhook/1/webhook'],
	[true, root, 'https://n8n.example/webhook-test/1/webhook'],
	[true, root, 'https://N8N.example:443/'],
	[true, below, 'https://example.com:5678/n8n/webhook/1/webhook'],
	[false, root, 'https://other.example/webhook/1/webhook'],
	[false, root, 'http://n8n.example/webhook/1/webhook'],
	[false, root, 'https://n8n.example:8443/webhook/1/webhook'],
	[false, root, 'https://n8n.example.evil.example/webhook/1/webhook'],
	[false, root, 'https://n8n.example@evil.example/webhook/1/webhook'],
	[false, root, 'no address'],
	[false, root, ''],
	[false, below, 'https://example.com:5678/webhook/1/webhook'],
	[false, below, 'https://example.com:5678/n8n/../webhook/1/webhook'],
	[false, below, 'https://example.com:5678/n8n-of-others/webhook/1/webhook'],
])('whether an address is one of this n8n: %j (%#)', (isOwn, caller, url) => {
	expect(isOwnAddress(caller, url)).toBe(isOwn);
});

test.each([
	['at the root of its host', root, 'https://n8n.example/webhook'],
	['in a folder', below, 'https://example.com:5678/n8n/webhook'],
	['whose webhooks have another address than its executions', apart, 'https://hooks.example/in'],
])('the URL that a trigger of another n8n would have on an n8n %s keeps its path and query', (_where, caller, base) => {
	const end = '/11111111-2222-3333-4444-5555555555aa/webhook?campaign=c-1&g=1764100000000';
	expect(addressHere(caller, `http://other.example/x/hooks${end}`)).toBe(`${base}${end}`);
	expect(isOwnAddress(caller, `${base}${end}`)).toBe(true);
});

test('only an address below that of waiting executions resumes one', () => {
	expect(resumesHere(root, 'https://n8n.example/webhook-waiting/78/node')).toBe(true);
	expect(resumesHere(below, 'https://example.com:5678/n8n/webhook-waiting/78')).toBe(true);
	for (const url of [
		'https://n8n.example/webhook/78',
		'https://n8n.example/webhook-waiting',
		'https://n8n.example/webhook-waiting/../rest/users',
		'https://other.example/webhook-waiting/78',
		'no address',
	]) {
		expect(resumesHere(root, url)).toBe(false);
	}
});
