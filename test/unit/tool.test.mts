import { NodeHelpers, type INode } from 'n8n-workflow';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';

const node = new VoiceAgentCalling();

/** What n8n tells a model about the node, unless the user writes a text. */
function toolText(resource: string, operation: string): string {
	const parameters = { resource, operation, descriptionType: 'auto' };
	const asNode = { name: 'Voice Agent Calling', typeVersion: 1, parameters } as unknown as INode;
	return NodeHelpers.getToolDescriptionForNode(asNode, node);
}

test('the node can be used as a tool', () => {
	expect(node.description.usableAsTool).toBe(true);
});

test.each([
	['call', 'place'],
	['campaign', 'queueCall'],
	['campaign', 'setStatus'],
])('a model is told that %s, %s makes a real phone ring', (resource, operation) => {
	expect(toolText(resource, operation)).toMatch(/real phones? rings?/);
});

test('a model is not told so where nothing rings', () => {
	expect(toolText('campaign', 'get')).not.toMatch(/ring/);
});
