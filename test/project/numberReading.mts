import ts from 'typescript';

/** A node of a workflow, as far as it can have code. */
export interface CodedNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
}

/** `read`: the service or this package's node wrote it (E.164). `typed`: somebody did, or nobody knows. */
type Kind = 'read' | 'typed' | undefined;

/** Names of values that are phone numbers. Those of the first expression are read whatever the workflow makes of them. */
const readNames = /^(normalizedTo|to)$/;
const numberNames = /(phone|number|mobile|msisdn|digits)s?$|^(tel|sender|caller|callee)$/i;
/** Whose `from` is a number, and not the beginning of something. */
const messages = /(body|json|call|sms|message)$/i;
const otherNames = /^(is|has)[A-Z]|^Number$|row_number$|rowNumber$/;

/** Methods that take a text apart or change it, those of n8n's expressions, too. */
const surgery =
	/^(replace|replaceAll|match|matchAll|search|split|slice|substring|substr|startsWith|endsWith|charAt|charCodeAt|codePointAt|at|padStart|padEnd|localeCompare|normalize|toNumber|toInt|toFloat|isNumeric|concat|lastIndexOf)$/;
/** Methods that look for a text in another one, or in a collection. */
const search = /^(includes|indexOf)$/;
/** What stands between the entries of a list, and in no number. */
const listSeparator = /^[/'"]\[?[,;|]+\]?[/'"]$/;
const lookUp = /^(has|get|includes|indexOf)$/;
/** What a method gives that is no number, whatever it is called on. */
const noText = /^(test|exec|has|includes|some|every|indexOf|search|startsWith|endsWith|localeCompare|isNumeric|push)$/;
const toNumber = /^(Number|parseInt|parseFloat|BigInt)$/;
/** What stands in front of a number to build another one. */
const prefix = /(^|[\s(])(\+|00|\+?\d[\d\s]*)$/;

const merged = (...kinds: Kind[]): Kind =>
	kinds.includes('typed') ? 'typed' : kinds.includes('read') ? 'read' : undefined;

/**
 * Says where nodes of a workflow read, change or compare phone numbers themselves. Only the package's own node may:
 * *Check Before Calling* and the calls return what it read. It follows a number from its name (`phone`, `from`, …, also
 * under another name, through functions, Set nodes and columns) to:
 * - a method or a regular expression that takes it apart, a conversion to a number, a prefix that is put before it;
 * - a comparison, or a search in a collection or a table, in which a side was not read (`normalizedTo`, the service's
 *   `to`, or what the workflow fills with them alone).
 * Whether there is a text at all may be asked: `trim()`, `=== ''`. A number within another text is not one anymore.
 */
export function numberReadings(nodes: readonly CodedNode[]): string[] {
	const coded = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	/** What the workflow says of the properties that it fills. */
	let known = new Map<string, Kind>();
	let found: string[] = [];
	// A value can pass through several nodes, in any order of the file.
	for (let round = 0; round < 6; round++) {
		const reader = new Reader(known);
		for (const node of coded) {
			reader.parameters(node.name, node.parameters);
		}
		known = reader.defined;
		({ found } = reader);
	}
	return [...new Set(found)];
}

class Reader {
	readonly found: string[] = [];
	readonly defined = new Map<string, Kind>();
	private readonly known: Map<string, Kind>;
	private node = '';

	constructor(known: Map<string, Kind>) {
		this.known = known;
	}

	/** Looks at the parameters of a node, and at all that is in them. */
	parameters(node: string, parameters: unknown): void {
		this.node = node;
		this.value(parameters, '');
	}

	/** The kind of a property by its name. */
	byName(name: string): Kind {
		if (readNames.test(name)) {
			return 'read';
		}
		const isNumber = numberNames.test(name) && !otherNames.test(name);
		return this.known.get(name) ?? (isNumber ? 'typed' : undefined);
	}

	/** Notes what the workflow fills a property with. */
	define(name: string, kind: Kind): void {
		const isNumber = numberNames.test(name) && !otherNames.test(name);
		this.defined.set(name, merged(this.defined.get(name), kind ?? (isNumber ? 'typed' : undefined)));
	}

	report(what: string): void {
		this.found.push(`${this.node}: ${what.replace(/\s+/g, ' ').slice(0, 160)}`);
	}

	private value(value: unknown, key: string): Kind {
		if (typeof value === 'string') {
			return this.text(value, key);
		}
		if (typeof value !== 'object' || value === null) {
			return undefined;
		}
		const fields = Object.entries(value).map(([name, field]) => [name, field, this.value(field, name)] as const);
		if (key === 'value' && !Array.isArray(value)) {
			// The columns of a table, the variables of an agent.
			for (const [name, , kind] of fields) {
				this.define(name, kind);
			}
		}
		const kindOf = (name: string) => fields.find(([one]) => one === name)?.[2];
		this.field(value as Record<string, unknown>, kindOf);
		return undefined;
	}

	/** What is written in the fields of the nodes of n8n, without code. */
	private field(value: Record<string, unknown>, kindOf: (name: string) => Kind): void {
		const { name, type, operator, keyName, keyValue, condition } = value;
		if (typeof name === 'string' && 'value' in value) {
			this.define(name, kindOf('value'));
			if (type === 'number' && this.byName(name) && kindOf('value')) {
				this.report(`${name} becomes a number: ${String(value.value)}`);
			}
		}
		if (typeof keyName === 'string' && numberNames.test(keyName) && !otherNames.test(keyName)) {
			if (kindOf('keyValue') !== 'read' || /like/i.test(String(condition))) {
				this.report(`${keyName} is searched for as text: ${String(keyValue)}`);
			}
		}
		if (kindOf('leftValue') || kindOf('rightValue')) {
			const { operation } = Object(operator);
			const isCompared = /equals/i.test(operation) && value.rightValue !== '';
			const isTyped = merged(kindOf('leftValue'), kindOf('rightValue')) === 'typed';
			if (/contains|startsWith|endsWith|regex/i.test(operation) || (isCompared && isTyped)) {
				this.report(`${String(value.leftValue)} ${operation} ${String(value.rightValue)}`);
			}
		}
		for (const [key, columns] of Object.entries(value)) {
			if (/^(matchingColumns|fieldsTo(Match|Compare).*|field[12])$/i.test(key)) {
				const names = [columns].flat().flatMap((one) => String(one).split(/\s*,\s*/));
				const numbers = names.filter((one) => this.byName(one) === 'typed');
				numbers.map((one) => this.report(`items are matched by ${one}`));
			}
		}
	}

	/** The code in a text; the kind of the value, if it is one expression. */
	private text(text: string, key: string): Kind {
		if (key === 'pythonCode') {
			this.report('only JavaScript is looked at');
		}
		if (key === 'jsCode') {
			new Script(this, text);
			return undefined;
		}
		if (!text.startsWith('=')) {
			return undefined;
		}
		const parts = [...text.matchAll(/\{\{([\s\S]*?)\}\}/g)];
		for (const { index } of parts) {
			if (prefix.test(text.slice(1, index)) && new Script(this, `(${parts[0]![1]})`).kind) {
				this.report(text);
			}
		}
		const kinds = parts.map(([, code]) => new Script(this, `(${code})`).kind);
		return text.slice(1).trim() === parts[0]?.[0] ? kinds[0] : undefined;
	}
}

type FunctionNode = ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration;

/** The code of one node, or of one expression. */
class Script {
	/** The kind of the value, if the code is one expression. */
	readonly kind: Kind;
	private readonly reader: Reader;
	private readonly source: ts.SourceFile;
	/** Variables by their names, wherever they are declared. */
	private variables = new Map<string, Kind>();
	private readonly functions = new Map<string, FunctionNode>();

	constructor(reader: Reader, code: string) {
		this.reader = reader;
		this.source = ts.createSourceFile('code.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
		// What a function gets is known after its calls.
		for (let round = 0; round < 4; round++) {
			this.each(this.source, (node) => this.learn(node));
		}
		this.each(this.source, (node) => this.look(node));
		const [first] = this.source.statements;
		this.kind = first && ts.isExpressionStatement(first) ? this.kindOf(first.expression) : undefined;
	}

	private each(node: ts.Node, visit: (node: ts.Node) => void): void {
		visit(node);
		node.forEachChild((child) => this.each(child, visit));
	}

	private set(name: string, kind: Kind): void {
		this.variables.set(name, merged(this.variables.get(name), kind));
	}

	private learn(node: ts.Node): void {
		if (ts.isFunctionDeclaration(node) && node.name) {
			this.functions.set(node.name.text, node);
		} else if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
			const value = node.initializer;
			if (value && isFunction(value)) {
				this.functions.set(node.name.text, value);
			} else if (value) {
				this.set(node.name.text, this.kindOf(value));
			}
		} else if (ts.isBindingElement(node) && ts.isIdentifier(node.name)) {
			const property = node.propertyName ?? node.name;
			const isOfArray = ts.isArrayBindingPattern(node.parent);
			if (!isOfArray && (ts.isIdentifier(property) || ts.isStringLiteral(property))) {
				this.set(node.name.text, isInterval(node.parent) ? undefined : this.reader.byName(property.text));
			}
		} else if (ts.isBinaryExpression(node) && ts.isIdentifier(node.left)) {
			if (/^(=|\?\?=|\|\|=|\+=)$/.test(node.operatorToken.getText())) {
				this.set(node.left.text, this.kindOf(node.right));
			}
		} else if (ts.isForOfStatement(node) && ts.isVariableDeclarationList(node.initializer)) {
			const [variable] = node.initializer.declarations;
			if (variable && ts.isIdentifier(variable.name)) {
				this.set(variable.name.text, this.kindOf(node.expression));
			}
		} else if (ts.isCallExpression(node)) {
			this.passArguments(node);
		} else if (ts.isPropertyAssignment(node) && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))) {
			this.reader.define(node.name.text, this.kindOf(node.initializer));
		} else if (ts.isShorthandPropertyAssignment(node)) {
			this.reader.define(node.name.text, this.kindOf(node.name));
		}
	}

	/** Gives the parameters of a function what it is called with: by its name, or by a method of a list. */
	private passArguments({ expression: callee, arguments: given }: ts.CallExpression): void {
		const called = ts.isIdentifier(callee) ? this.functions.get(callee.text) : withoutBrackets(callee);
		const kinds = given.map((one) => this.kindOf(one));
		if (called && isFunction(called)) {
			this.pass(called, kinds);
		}
		const [receiver] = methodOf(callee) ?? [];
		if (receiver) {
			const item = this.kindOf(receiver);
			for (const one of given) {
				const callback = ts.isIdentifier(one) ? this.functions.get(one.text) : one;
				if (callback && isFunction(callback)) {
					this.pass(callback, [item]);
				}
			}
		}
	}

	private pass({ parameters }: FunctionNode, kinds: Kind[]): void {
		for (const [index, { name }] of parameters.entries()) {
			if (ts.isIdentifier(name)) {
				this.set(name.text, kinds[index]);
			}
		}
	}

	private kindOf(node: ts.Node | undefined): Kind {
		if (node === undefined) {
			return undefined;
		}
		const inner = withoutBrackets(node);
		if (inner !== node) {
			return this.kindOf(inner);
		}
		if (ts.isIdentifier(node)) {
			return this.variables.has(node.text) ? this.variables.get(node.text) : this.reader.byName(node.text);
		}
		if (ts.isPropertyAccessExpression(node)) {
			const isSender = /^from$/i.test(node.name.text) && messages.test(node.expression.getText());
			return isSender ? 'typed' : this.reader.byName(node.name.text);
		}
		if (ts.isElementAccessExpression(node)) {
			const { argumentExpression: index, expression } = node;
			return ts.isStringLiteralLike(index) ? this.reader.byName(index.text) : this.kindOf(expression);
		}
		if (ts.isConditionalExpression(node)) {
			return merged(this.kindOf(node.whenTrue), this.kindOf(node.whenFalse));
		}
		if (ts.isArrayLiteralExpression(node)) {
			return merged(...node.elements.map((element) => this.kindOf(element)));
		}
		if (ts.isNewExpression(node)) {
			return this.kindOf(node.arguments?.[0]);
		}
		if (ts.isBinaryExpression(node)) {
			const { left, operatorToken, right } = node;
			const isChoice = /^(\?\?|\|\||&&)$/.test(operatorToken.getText());
			const isJoined = operatorToken.kind === ts.SyntaxKind.PlusToken && isDigits(left) && isDigits(right);
			return isChoice || isJoined ? merged(this.kindOf(left), this.kindOf(right)) : undefined;
		}
		if (ts.isTemplateExpression(node)) {
			const texts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
			const isJoined = texts.every(({ text }) => /^[\s\d+().-]*$/.test(text));
			return isJoined ? merged(...node.templateSpans.map(({ expression }) => this.kindOf(expression))) : undefined;
		}
		return ts.isCallExpression(node) ? this.kindOfCall(node) : undefined;
	}

	private kindOfCall({ expression: callee, arguments: given }: ts.CallExpression): Kind {
		if (ts.isIdentifier(callee)) {
			const called = this.functions.get(callee.text);
			return called ? this.kindOfBody(called) : this.kindOf(callee.text === 'String' ? given[0] : undefined);
		}
		const [receiver, method = ''] = methodOf(callee) ?? [];
		const [callback] = given;
		if (/^(map|flatMap)$/.test(method) && callback && isFunction(callback)) {
			return this.kindOfBody(callback);
		}
		return noText.test(method) ? undefined : this.kindOf(receiver);
	}

	/** What a function gives, where that is clear: it is one expression. */
	private kindOfBody({ body }: FunctionNode): Kind {
		return body && !ts.isBlock(body) ? this.kindOf(body) : undefined;
	}

	private look(node: ts.Node): void {
		if (this.isReading(node)) {
			this.reader.report(node.getText());
		}
	}

	private isReading(node: ts.Node): boolean {
		if (ts.isCallExpression(node)) {
			return this.isReadingCall(node);
		}
		if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
			return this.kindOf(node.arguments?.[0]) !== undefined;
		}
		if (ts.isPrefixUnaryExpression(node) && /^[+\-~]/.test(node.getText())) {
			return this.kindOf(node.operand) !== undefined;
		}
		if (ts.isTemplateExpression(node)) {
			const before = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
			return node.templateSpans.some(
				({ expression }, index) => prefix.test(before[index]!.text) && this.kindOf(expression) !== undefined,
			);
		}
		return ts.isBinaryExpression(node) && this.isReadingOperator(node);
	}

	private isReadingCall({ expression: callee, arguments: given }: ts.CallExpression): boolean {
		const argument = this.kindOf(given[0]);
		if (ts.isIdentifier(callee)) {
			return toNumber.test(callee.text) && argument !== undefined;
		}
		const [object, method = ''] = methodOf(callee) ?? [];
		const receiver = this.kindOf(object);
		if (/^(test|exec)$/.test(method) || (/^(parseInt|parseFloat)$/.test(method) && argument !== undefined)) {
			return argument !== undefined;
		}
		if (method === 'split' && listSeparator.test(given[0]?.getText() ?? '')) {
			return false;
		}
		if (surgery.test(method) || (search.test(method) && argument === undefined)) {
			return receiver !== undefined;
		}
		const isLookUp = lookUp.test(method) && argument !== undefined;
		return isLookUp && merged(receiver, argument) === 'typed';
	}

	private isReadingOperator({ left, operatorToken, right }: ts.BinaryExpression): boolean {
		const operator = operatorToken.getText();
		const kinds = [this.kindOf(left), this.kindOf(right)];
		if (/^[!=]==?$/.test(operator)) {
			const isAsked = [left, right].some((side) => isPresence(side));
			return !isAsked && merged(...kinds) === 'typed';
		}
		if (/^[-*/%]$/.test(operator)) {
			return merged(...kinds) !== undefined;
		}
		const before = withoutBrackets(left);
		const last = ts.isBinaryExpression(before) ? before.right : before;
		return operator === '+' && ts.isStringLiteralLike(last) && prefix.test(last.text) && kinds[1] !== undefined;
	}
}

const isFunction = (node: ts.Node): node is FunctionNode =>
	ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node);

/** What a method is called on, and its name. */
function methodOf(callee: ts.Expression): [ts.Expression, string] | undefined {
	if (ts.isPropertyAccessExpression(callee)) {
		return [callee.expression, callee.name.text];
	}
	const isNamed = ts.isElementAccessExpression(callee) && ts.isStringLiteralLike(callee.argumentExpression);
	return isNamed ? [callee.expression, callee.argumentExpression.text] : undefined;
}

function withoutBrackets(node: ts.Node): ts.Node {
	const isWrapper = ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node) || ts.isSpreadElement(node);
	return isWrapper ? withoutBrackets(node.expression) : node;
}

/** Whether a part of a sum can be a part of a number: no text with words. */
const isDigits = (node: ts.Node): boolean =>
	ts.isBinaryExpression(node)
		? isDigits(node.left) && isDigits(node.right)
		: !ts.isStringLiteralLike(node) || /^[\s\d+().-]*$/.test(node.text);

/** Whether an object is taken apart into a beginning and an end, of times or values. */
const isInterval = ({ elements }: ts.BindingPattern) =>
	['from', 'to'].every((name) => elements.some((element) => element.getText() === name));

/** What a value is compared with to ask whether it is there. */
const isPresence = (node: ts.Node) =>
	/^(''|""|null|undefined|true|false)$/.test(node.getText()) || ts.isTypeOfExpression(node);
