import { suggester } from '../../../shared/lib/suggester';
import { type FlowNode, genericFields, isDocumented, otherNodes, quoted, withinSentence } from '../flow';
import { type FlowRule, helloNode, type RuleHit } from './rule';

const FLOW_FIELDS = ['initial_node_id', 'meta', 'nodes', 'global_functions'];
const BRANCH_FIELDS = ['match', 'next'];
const nodeFields: Record<string, readonly string[]> = {
	say: ['id', 'type', 'content', 'next'],
	decision: ['id', 'type', 'branches'],
	end: ['id', 'type'],
};

/** Fields that have a rule of their own. */
const OTHER_RULES: Record<string, readonly string[]> = { decision: ['next'], end: ['next', 'branches'] };

export const unknownField: FlowRule = {
	name: 'unknown-field',
	severity: 'info',
	bad: [{ ...helloNode, text: 'Hello!' }],
	why: 'The service does not document the field, so it may ignore it. Reported once for each type and name. For `ask`, `action` and `transfer`, whose fields are not documented, only what looks like a misspelled `content`, `next` or `branches`.',
	good: [helloNode],
	*check({ flow: { fields, nodes } }) {
		yield* unknownIn(Object.keys(fields), FLOW_FIELDS, { subject: 'The flow', path: '' });
		const seen = new Map<string, { node: FlowNode; found: RuleHit; count: number }>();
		const add = (
			node: FlowNode,
			name: string,
			key: string,
			known: readonly string[],
			path: string,
			onlyLike: boolean,
		) => {
			const earlier = seen.get(key);
			if (earlier) {
				earlier.count += earlier.node === node ? 0 : 1;
				return;
			}
			const subject = path === node.path ? node.name : `A branch of ${withinSentence(node)}`;
			const [found] = unknownIn([name], known, { subject, path, node, onlyLike });
			if (found) {
				seen.set(key, { node, found, count: 0 });
			}
		};
		for (const node of nodes) {
			const { type } = node;
			if (type === undefined) {
				continue;
			}
			const known = nodeFields[type] ?? genericFields;
			for (const name of Object.keys(node.fields)) {
				if (!known.includes(name) && !OTHER_RULES[type]?.includes(name)) {
					add(node, name, `${type} ${name}`, known, node.path, !isDocumented(type));
				}
			}
			for (const branch of type === 'decision' ? node.branches : []) {
				for (const name of Object.keys(branch.fields ?? {})) {
					if (!BRANCH_FIELDS.includes(name)) {
						add(node, name, `branch ${name}`, BRANCH_FIELDS, branch.path, false);
					}
				}
			}
		}
		for (const { found, count } of seen.values()) {
			const more = count === 0 ? '' : ` ${otherNodes(count)} ${count === 1 ? 'has' : 'have'} it, too.`;
			yield { ...found, message: `${found.message}${more}` };
		}
	},
};

/** Where fields are. */
interface Place {
	/** For the start of a sentence. */
	subject: string;
	path: string;
	node?: FlowNode;
	/** Whether to report only what looks like a documented field. */
	onlyLike?: boolean;
}

function* unknownIn(names: readonly string[], known: readonly string[], place: Place): Generator<RuleHit> {
	const suggest = suggester(known);
	for (const name of names.filter((each) => !known.includes(each))) {
		const meant = suggest(name);
		if (place.onlyLike && meant === undefined) {
			continue;
		}
		yield {
			node: place.node,
			path: place.path === '' ? name : `${place.path}.${name}`,
			message: `${place.subject} has the field ${quoted(name)}, which the service does not document. It may be ignored.`,
			fix: meant === undefined ? 'Remove it if the service does not use it.' : `Did you mean "${meant}"?`,
		};
	}
}
