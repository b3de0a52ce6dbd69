/** The part of a node of Babel's syntax tree that is used here. */
interface Node {
	type: string;
	value?: unknown;
	quasis?: Array<{ value: { raw: string } }>;
}

/** At least three words, or two before an inserted value. */
const SEVERAL_WORDS = /[A-Za-z'")][,.:;]? +[A-Za-z']+[,.:;]? +[A-Za-z'{]/;

/**
 * Whether a literal is a text for people: no test repeats its words. A code, a header, a separator, or a text that is
 * compared with another is none.
 *
 * @param parent the node around it
 */
export function isTextForPeople(node: Node, parent?: Node): boolean {
	const isCompared = parent?.type === 'BinaryExpression' || parent?.type === 'SwitchCase';
	return !isCompared && SEVERAL_WORDS.test(textOf(node) ?? '');
}

/** The text of a literal, with {} for an inserted value; undefined for another node. */
function textOf({ type, value, quasis = [] }: Node): string | undefined {
	if (type === 'StringLiteral') {
		return String(value);
	}
	return type === 'TemplateLiteral' ? quasis.map(({ value: { raw } }) => raw).join('{}') : undefined;
}
