import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { root } from '../../scripts/lib/places.mts';
import { contactsOf, readExample, withChoices } from '../../scripts/quickstart/examples.mts';

const files = readdirSync(join(root, 'examples'));

const descriptions: Record<string, INodeTypeDescription> = {
	'n8n-nodes-voice-agent-calling.voiceAgentCalling': new VoiceAgentCalling().description,
	// As n8n names the node that an AI agent uses.
	'n8n-nodes-voice-agent-calling.voiceAgentCallingTool': new VoiceAgentCalling().description,
	'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger': new VoiceAgentCallingTrigger().description,
};

describe.each(files)('%s', (file) => {
	const workflow = readExample(file);

	test("uses only parameters that the package's nodes have", () => {
		const own = workflow.nodes.filter(({ type }) => type in descriptions);
		expect(own).not.toEqual([]);
		for (const { type, parameters } of own) {
			const names = descriptions[type]?.properties.map(({ name }) => name);
			expect(names).toEqual(expect.arrayContaining(Object.keys(parameters)));
		}
	});

	test('chooses only what those parameters offer', () => {
		for (const { type, parameters } of workflow.nodes) {
			const properties = descriptions[type]?.properties ?? [];
			for (const [name, value] of Object.entries(parameters)) {
				const offered = properties
					.filter((property) => property.name === name && /ptions$/.test(property.type))
					.flatMap(({ options = [] }) => options.map((option) => Object(option).value));
				if (offered.length > 0) {
					expect({ name, offered }).toEqual({ name, offered: expect.arrayContaining([value].flat()) });
				}
			}
		}
	});

	test('leaves the credential, the campaign and the agent to whoever imports it', () => {
		for (const { type, parameters, credentials } of workflow.nodes) {
			expect(credentials).toBeUndefined();
			const chosen = parameters.campaign ?? parameters.agent;
			if (type in descriptions) {
				expect(Object(chosen).value ?? '').toBe('');
			}
		}
		expect(workflow).not.toHaveProperty('id');
	});

	test('keeps every value when it is imported, also the mapped variables of an agent that is not chosen yet', () => {
		for (const node of workflow.nodes.filter(({ type }) => type in descriptions)) {
			// The editor shows the fields of a tool by the name of its type.
			const description = { ...descriptions[node.type], name: node.type };
			// As the editor does with a workflow that it loads: values of hidden parameters are removed.
			const kept = NodeHelpers.getNodeParameters(
				description.properties,
				node.parameters as INodeParameters,
				true,
				false,
				node as INode,
				description,
			);
			expect(Object.keys(kept ?? {})).toEqual(expect.arrayContaining(Object.keys(node.parameters)));
		}
	});

	test('connects only nodes that are there', () => {
		const names = workflow.nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		const connections = workflow.connections as Record<string, Record<string, Array<Array<{ node: string }>>>>;
		for (const [from, outputs] of Object.entries(connections)) {
			expect(names).toContain(from);
			for (const { node } of Object.values(outputs).flat(2)) {
				expect(names).toContain(node);
			}
		}
	});

	test('explains itself with notes', () => {
		const notes = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes.length).toBeGreaterThan(2);
	});

	test('takes the choices of the quick start in the nodes of the package, and there only', () => {
		const credential = { id: 'one', name: 'Sandbox' };
		const chosen = withChoices(workflow, 'some-id', { credential, campaignId: 'campaign-1', agentId: 'agent-1' });
		expect(chosen.id).toBe('some-id');
		const changed = chosen.nodes.filter(({ credentials }) => credentials !== undefined);
		expect(changed.map(({ name }) => name)).toEqual(
			workflow.nodes.filter(({ type }) => type in descriptions).map(({ name }) => name),
		);
		for (const node of changed) {
			expect(node.credentials).toEqual({ voiceAgentCallingApi: credential });
			for (const [name, value] of Object.entries({ campaign: 'campaign-1', agent: 'agent-1' })) {
				if (name in node.parameters) {
					expect(node.parameters[name]).toEqual({ __rl: true, mode: 'id', value });
				}
			}
		}
	});
});

test('the contacts have numbers that nobody has, one for each outcome', () => {
	const workflow = readExample('queue-calls-for-contacts.json');
	const node = workflow.nodes.find(({ name }) => name === 'Contacts');
	const { contacts } = JSON.parse(String(node?.parameters.jsonOutput)) as {
		contacts: Array<{ id: string; name: string; phone: string }>;
	};
	expect(contactsOf(workflow)).toBe(5);
	expect(contacts.map(({ phone }) => phone.slice(-4))).toEqual(['0001', '0002', '0003', '0004', '0123']);
	// The range that the British regulator keeps for film and television.
	for (const { phone } of contacts) {
		expect(phone).toMatch(/^\+442079460\d{3}$/);
	}
});
