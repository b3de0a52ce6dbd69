import { isRecord } from './json';

/** Matches parts of an expression that do not depend on one item: all items of a node, or the whole execution. */
const OF_THE_RUN =
	/\$(?:(?:\((?:'[^']*'|"[^"]*")\)|input)\.(?:all|first|last)\(|(?:env|execution|now|today|vars|workflow)\b)/g;

/** Matches n8n's functions and values that are not items. n8n ignores the case of `$fromAI`. */
const WITHOUT_ITEM = /\$(?:fromai|if|ifempty|jmespath|max|min|runindex|secrets)\b/gi;

/** Matches a property of the item, by name. */
const PROPERTY =
	/\$(?:json|input\.\w+(?:\(\))?(?:\[\d+\])?\.json)\s*(?:(?:\?\.|\.)\s*([\w$]+)|(?:\?\.)?\s*\[\s*(['"`])(.*?)\2\s*\])/g;

/** Matches the item itself, which is the whole input if n8n's engine runs a tool. */
const ITEM = /\$(?:json|input)\b/g;

/**
 * Whether a parameter, as n8n stores it, may have a different value for each item. This applies to every expression
 * that uses a value of n8n not known to be the same for all items.
 */
export function dependsOnItem(value: unknown): boolean {
	return hasExpression(value) && (typeof value !== 'string' || value.replaceAll(OF_THE_RUN, '').includes('$'));
}

/** Whether a parameter, as n8n stores it, contains an expression at any depth. */
export function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') {
		return value.startsWith('=');
	}
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}

/** The parts of an item that the expressions in a parameter use. */
export interface UseOfItem {
	/** Whether they use anything that can differ between items, except values that a model passed for `$fromAI`. */
	any: boolean;
	/** The used properties of `$json`. */
	properties: string[];
	/** Whether they use `$json` as a whole. */
	whole: boolean;
	/** Whether they use anything else, such as the items of other nodes. */
	rest: boolean;
}

/** Finds the parts of an item that the expressions in a parameter, as n8n stores it, use at any depth. */
export function useOfItem(value: unknown): UseOfItem {
	if (typeof value === 'string') {
		const code = value.startsWith('=') && value.includes('{{') ? value.slice(value.indexOf('{{')) : '';
		const ofItem = code.replaceAll(WITHOUT_ITEM, '');
		return {
			any: ofItem.replaceAll(OF_THE_RUN, '').includes('$'),
			properties: [...ofItem.matchAll(PROPERTY)].map(([, name, , quoted]) => name ?? quoted ?? ''),
			whole: ofItem.replaceAll(PROPERTY, '').search(ITEM) >= 0,
			rest: ofItem.replaceAll(ITEM, '').replaceAll(OF_THE_RUN, '').includes('$'),
		};
	}
	const members = typeof value === 'object' && value !== null ? Object.values(value).map(useOfItem) : [];
	return {
		any: members.some(({ any }) => any),
		properties: members.flatMap(({ properties }) => properties),
		whole: members.some(({ whole }) => whole),
		rest: members.some(({ rest }) => rest),
	};
}

/** Matches words that are values in n8n's expressions, not names of variables. */
const NO_NAME = /^(?:undefined|null|true|false|NaN|Infinity|this)$/;

/**
 * Finds a variable of an agent in an expression, such as `{{first_name}}`. n8n switches a field to Expression when such
 * a text is pasted, and replaces the variable by nothing.
 *
 * @param value a parameter as n8n stores it
 * @returns the first variable at any depth, with its braces
 */
export function lostVariable(value: unknown): string | undefined {
	if (typeof value === 'string') {
		const found = value.startsWith('=') ? [...value.matchAll(/\{\{(.*?)\}\}/gs)] : [];
		return found.find(([, inner = '']) => /^\s*[a-z_]\w*\s*$/i.test(inner) && !NO_NAME.test(inner.trim()))?.[0];
	}
	return typeof value === 'object' && value !== null
		? Object.values(value).reduce<string | undefined>((found, member) => found ?? lostVariable(member), undefined)
		: undefined;
}

/** Returns a parameter as n8n stores it, or a member of it if it is a collection. */
export function storedValue(
	parameters: Readonly<Record<string, unknown>>,
	parameter: string,
	member?: string,
): unknown {
	const value = parameters[parameter];
	return member !== undefined && isRecord(value) ? value[member] : value;
}
