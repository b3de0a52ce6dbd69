import { quoted } from '../../shared/lib/text';
import { type PromptText, placeholdersIn } from './placeholders';

/** A text that is probably meant as a variable, but in another notation than `{{name}}`. */
interface OtherNotation {
	/** The text as written in the prompt. */
	text: string;
	/** The name of the variable; undefined if it is not clear. */
	name?: string;
}

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.-]*`;

/** A code block is not spoken: braces and angle brackets in it are code. */
const CODE_BLOCK = /^[ \t]*(```|~~~)[^]*?(?:^[ \t]*\1|(?![^]))/gmu;

/** A text in one or more braces. */
const IN_BRACES = /(?<!\{)(\{+)([^{}]*)(\}+)/g;

/** A character before single braces that are part of a path, a regular expression or a formula. */
const PART_OF_CODE = /[A-Za-z0-9_/\\)]/;

/** A name, optionally with the sign that some template languages put before it. */
const NAME_ALONE = new RegExp(String.raw`^[ \t]*([!$#@]?)(${NAME})[ \t]*$`, 'u');

/** A name with filters, as many template languages have them. */
const FILTERED = new RegExp(String.raw`^\s*(${NAME})\s*\|`, 'u');

/** The first member of an object, which follows double braces in JSON, style sheets and code. */
const MEMBER = /^\s*(?:"[^"]*"|'[^']*'|[\w-]+)\s*:(?=[\s"'[\d]|$)/;

/** Braces that are not closed, at the end of a text or before other braces. */
const NOT_CLOSED = /\{\{[^{}]*(?:$|\{)/g;

/** Notations without braces, or with other braces. The first group, if any, is the name. */
const OTHERS = [
	String.raw`\[\[[ \t]*(${NAME}(?: ${NAME})*)[ \t]*\]\]`,
	String.raw`<<[ \t]*(${NAME}(?: ${NAME})*)[ \t]*>>`,
	// Full-width braces, from Asian keyboards.
	String.raw`(?<!｛)｛{1,3}[ \t]*(${NAME})[ \t]*｝{1,3}`,
	String.raw`(?<![\w%])%([\p{L}_][\p{L}\p{N}_]*)%(?![\w%])`,
	// Other tags belong to prompts, web pages and voices, such as <example> and <break>.
	String.raw`(?<![\w<])<((?:[\p{L}\p{N}_.-]*(?:n[ao]me|nombre|nom|naam|имя|imi[ęe])))>`,
	String.raw`\{%-?\s*[a-z]+[^{}%]*%\}`,
].map((source) => new RegExp(source, 'giu'));

/**
 * Returns the texts that are probably meant as variables but are not written as `{{name}}`, in their order and each
 * once. The notation of prompts is not documented, so the service may accept some of these. JSON, code blocks, tags
 * with an end tag and other uses of the same signs are left out.
 */
export function otherNotationsIn(text: unknown): OtherNotation[] {
	if (typeof text !== 'string' || !/[{<[%｛]/.test(text)) {
		return [];
	}
	const prose = text.replace(CODE_BLOCK, (code) => ' '.repeat(code.length));
	const found = [...inBraces(prose), ...inOthers(prose)].sort((one, other) => one.index - other.index);
	return [...new Map(found.map(({ text: written, name }) => [written, { text: written, name }])).values()];
}

type Found = OtherNotation & { index: number };

function* inBraces(prose: string): Generator<Found> {
	for (const { 0: text, 1: opening, 2: inner, 3: closing, index } of prose.matchAll(IN_BRACES)) {
		const [, sign, name] = NAME_ALONE.exec(inner) ?? [];
		if (opening.length >= 2 && closing.length >= 2) {
			// More braces on one side only belong to the JSON around the variable.
			const isMore = opening.length > 2 && closing.length > 2;
			const isFine = !isMore && placeholdersIn([`{{${inner}}}`]).length === 1;
			const isName = inner.trim() === '' || /\p{L}/u.test(inner);
			if (!isFine && isName && !MEMBER.test(inner)) {
				yield { index, text, name: sign ? undefined : (name ?? FILTERED.exec(inner)?.[1]) };
			}
		} else if (name !== undefined && !PART_OF_CODE.test(prose[index - 1] ?? '')) {
			const before = /[$#]/.exec(prose[index - 1] ?? '')?.[0] ?? '';
			yield { index, text: `${before}${text}`, name };
		}
	}
	for (const { 0: text, index } of prose.matchAll(NOT_CLOSED)) {
		if (/\p{L}/u.test(text) && !MEMBER.test(text.slice(2))) {
			yield { index, text };
		}
	}
}

function* inOthers(prose: string): Generator<Found> {
	for (const notation of OTHERS) {
		for (const { 0: text, 1: name, index } of prose.matchAll(notation)) {
			if (!isTag(prose, { text, index })) {
				yield { index, text, name };
			}
		}
	}
}

/** Whether this is a tag of the prompt: it has an end tag, or is alone on its line. */
function isTag(prose: string, { text, index }: Found): boolean {
	if (!/^<[^<]/.test(text)) {
		return false;
	}
	const before = prose.slice(prose.lastIndexOf('\n', index - 1) + 1, index);
	const after = /[^\n]*/.exec(prose.slice(index + text.length))?.[0] ?? '';
	return prose.includes(`</${text.slice(1)}`) || `${before}${after}`.trim() === '';
}

/** How many texts a note names. */
const MAX_SHOWN = 5;

/** Returns a note on the texts of an agent that are probably meant as variables; undefined without such texts. */
export function noteOn(agentName: string, texts: readonly PromptText[]): string | undefined {
	const found = texts.flatMap(({ field, text }) => otherNotationsIn(text).map((notation) => ({ field, ...notation })));
	if (found.length === 0) {
		return undefined;
	}
	const shown = found.slice(0, MAX_SHOWN);
	const more = found.length - shown.length;
	const places = shown.map(({ field, text }) => `${quoted(text)} (${field})`);
	const names = [...new Set(shown.flatMap(({ name }) => (name === undefined ? [] : [`{{${name}}}`])))];
	return [
		`The agent ${quoted(agentName)} may say as it is written: ${places.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
		'Only {{name}} counts as a variable, with letters, digits, dots, hyphens and underscores.',
		`If this is meant as a variable, write ${names.length > 0 ? names.join(', ') : 'it so'} in the agent, and publish it again.`,
	].join(' ');
}

/** Explains in a whole sentence how to write the variable. */
export function howToWrite({ text, name }: OtherNotation): string {
	if (/^\{\{\s*\$/.test(text)) {
		return 'This looks like an expression of n8n: switch the field to Expression, so that n8n fills it in.';
	}
	return name === undefined
		? 'Write the name of the variable in two braces: letters, digits, dots, hyphens and underscores.'
		: `Write {{${name}}}.`;
}
