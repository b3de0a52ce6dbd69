import { json } from '../../../shared/fields/kinds';

export const flow = json('flow_config', {
	displayName: 'Flow',
	name: 'flow',
	default:
		'{\n  "initial_node_id": "hello",\n  "nodes": [\n    { "id": "hello", "type": "say", "content": "Hello!", "next": "bye" },\n    { "id": "bye", "type": "end" }\n  ]\n}',
	required: true,
	description:
		'The conversation flow: the ID of its first node, and its nodes, of the types say, ask, decision, action, transfer and end',
});
