// n8n's rules for community nodes that the installed lint does not have yet, each with the name of its documentation:
// https://github.com/n8n-io/n8n/tree/master/packages/@n8n/eslint-plugin-community-nodes/docs/rules
// and the UX guidelines: https://docs.n8n.io/connect/create-nodes/build-your-node/reference/ux-guidelines
import { join } from 'node:path';
import {
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	nodeNameToToolName,
} from 'n8n-workflow';

import { VoiceAgentCallingApi } from '../../credentials/VoiceAgentCallingApi.credentials.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { read, sourcesIn } from './sources.mts';

const action = new VoiceAgentCalling().description;
const trigger = new VoiceAgentCallingTrigger().description;
const credential = new VoiceAgentCallingApi();
const nodes = [action, trigger];
type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** All properties, also those in collections and in rows. */
function allOf(properties: readonly INodeProperties[]): INodeProperties[] {
	const inside = (entry: Entry): INodeProperties[] =>
		'values' in entry ? allOf(entry.values) : 'type' in entry ? allOf([entry as INodeProperties]) : [];
	return properties.flatMap((property) => [property, ...(property.options ?? []).flatMap(inside)]);
}

const everywhere = [...nodes.map(({ properties }) => properties), credential.properties].flatMap(allOf);

/** The choices of a menu. */
const choicesOf = ({ type, options = [] }: INodeProperties): INodePropertyOptions[] =>
	type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];

/** Where the editor shows a property of the top level. */
function placeOf({ name, displayOptions }: INodeProperties): string {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	return [...resource, operation.join('|'), name].filter(Boolean).join('.');
}

describe('non-required-fields-in-collection', () => {
	/** Neither the rule nor n8n's guidelines want these in a collection. */
	const EXEMPT_TYPES = ['collection', 'fixedCollection', 'notice', 'callout', 'hidden', 'curlImport'];
	const SELECTORS = ['resource', 'operation', 'authentication'];
	/** n8n's standard parameters and guidelines put these at the top level. */
	const STANDARD = ['returnAll', 'limit', 'output', 'outputFields'];
	/**
	 * Those that decide whether a call costs money, what is changed, or which fields are shown, what every agent needs, and
	 * times that everybody looks for, which have a meaning if empty.
	 */
	const EXCEPTIONS = [
		'startDate',
		'from',
		'to',
		'testCall',
		'publishAfterwards',
		'dryRun',
		'waitBy',
		'agentVariables',
		'firstMessage',
		'prompt',
		'language',
		'languageCode',
		'voice',
		'phoneNumbers',
	];

	const optional = nodes
		.flatMap(({ properties }) => properties)
		.filter(({ required, type, name }) => !required && !EXEMPT_TYPES.includes(type) && !SELECTORS.includes(name))
		// n8n itself puts the tool's description and settings at the top level.
		.filter(({ displayOptions }) => displayOptions?.show?.['@tool'] === undefined);

	test('the top level has only what must be filled in; all else is in Options, Filters or Update Fields', () => {
		const allowed = [...STANDARD, ...EXCEPTIONS];
		const others = optional.filter(({ name }) => !allowed.includes(name)).map(placeOf);
		expect(others).toEqual([]);
	});
});

test('open-ended-node-fields: the top level has no optional JSON', () => {
	const json = nodes.flatMap(({ properties }) => properties).filter(({ type }) => type === 'json');
	expect(json.filter(({ required }) => !required).map(placeOf)).toEqual([]);
});

describe('options-sorted-alphabetically', () => {
	/** Without regard to case, as the rule compares. */
	const isSorted = (names: readonly string[]) =>
		names.join() === [...names].sort((a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' })).join();

	test('the choices of each menu are sorted by name, but for the days of the week and the resources', () => {
		const exceptions = ['daysOfWeek', 'resource'];
		const menus = everywhere.filter(({ name }) => !exceptions.includes(name));
		const unsorted = menus.filter((property) => !isSorted(choicesOf(property).map(({ name }) => name)));
		expect(unsorted.map(placeOf)).toEqual([]);
	});

	test('the resources begin with Call and Campaign, for the list of actions; the others are sorted by name', () => {
		const names = action.properties.filter(({ name }) => name === 'resource').flatMap(choicesOf);
		expect(names.slice(0, 2).map(({ name }) => name)).toEqual(['Call', 'Campaign']);
		expect(isSorted(names.slice(2).map(({ name }) => name))).toBe(true);
	});

	test('the fields of each collection are sorted by name', () => {
		const collections = everywhere.filter(({ type }) => type === 'collection');
		const namesOf = ({ options = [] }: INodeProperties) =>
			options.map((each) => ('displayName' in each ? each.displayName : ''));
		expect(collections.length).toBeGreaterThan(30);
		expect(collections.filter((collection) => !isSorted(namesOf(collection))).map(placeOf)).toEqual([]);
	});
});

test("no field has a validateType: the nodes read fields without n8n's validation", () => {
	expect(everywhere.filter((property) => 'validateType' in property).map(placeOf)).toEqual([]);
});

test('hint-max-length: a hint has 120 characters at most', () => {
	expect(everywhere.filter(({ hint = '' }) => hint.length > 120).map(placeOf)).toEqual([]);
});

test('single-credential-per-node: each node has one credential', () => {
	const own = [credential.name];
	expect(nodes.map(({ credentials = [] }) => credentials.map(({ name }) => name))).toEqual([own, own]);
});

describe('codex files', () => {
	const DOCUMENTED = [
		'Analytics',
		'Communication',
		'Data & Storage',
		'Development',
		'Finance & Accounting',
		'Marketing & Content',
		'Miscellaneous',
		'Productivity',
		'Sales',
		'Utility',
	];
	const codexOf = (file: string) => JSON.parse(read(`nodes/${file}/${file}.node.json`)) as Record<string, unknown>;
	const files = nodes.map((node) => ({ node, codex: codexOf(node.name.replace(/^v/, 'V')) }));

	test('valid-node-categories, valid-codex-categories, no-ai-codex-category, no-logic-or-flow-nodes: only documented ones', () => {
		for (const { codex } of files) {
			expect(codex.categories).not.toEqual([]);
			expect(DOCUMENTED).toEqual(expect.arrayContaining(codex.categories as string[]));
		}
	});

	test('no-codex-subcategories: there are none, and the rest is what the node says', () => {
		const { name } = JSON.parse(read('package.json')) as { name: string };
		for (const { codex, node } of files) {
			expect(codex).not.toHaveProperty('subcategories');
			// A codex in the description would replace the file.
			expect(node.codex).toBeUndefined();
			const nodeVersion = Number(node.version).toFixed(1);
			expect(codex).toMatchObject({ node: `${name}.${node.name}`, nodeVersion, codexVersion: '1.0' });
		}
	});
});

test('no-monorepo: the repository has no directory', () => {
	const { repository } = JSON.parse(read('package.json')) as { repository: object };
	expect(repository).toMatchObject({ type: 'git', url: expect.stringContaining('github.com') });
	expect(repository).not.toHaveProperty('directory');
});

test('no-hardcoded-ids: no source assigns an ID of a partner or an account', () => {
	const assigned = /\b(partner|affiliate|reseller|account|tenant|customer|client)_?id['"]?\s*[:=]\s*['"`][^'"`]/i;
	const sources = sourcesIn('nodes', 'credentials');
	expect(sources.length).toBeGreaterThan(100);
	expect(assigned.test("const query = { partner_id: 'fixed-partner' }")).toBe(true);
	expect(sources.filter((file) => assigned.test(read(file)))).toEqual([]);
});

describe('icon-contrast', () => {
	/** The relative luminance of a color like #0f766e, by WCAG 2. */
	function luminance(color: string): number {
		const digits = color.slice(1);
		const hex = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
		const [red, green, blue] = [0, 2, 4].map((start) => {
			const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
			return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
		}) as [number, number, number];
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	}
	function contrast(one: string, other: string): number {
		const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
		return (light + 0.05) / (dark + 0.05);
	}
	const BACKGROUNDS = { light: '#ffffff', dark: '#2b2b2b' };
	/** What WCAG asks of graphics. The rule itself wants 1.5. */
	const MINIMUM = 3;

	test.each([
		['the action node', action.icon, 'nodes/VoiceAgentCalling'],
		['the trigger', trigger.icon, 'nodes/VoiceAgentCallingTrigger'],
		['the credential', credential.icon, 'credentials'],
	])('the icons of %s stand out in both themes', (_what, icon, folder) => {
		for (const theme of ['light', 'dark'] as const) {
			const file = (icon as Record<typeof theme, string>)[theme].replace(/^file:/, '');
			const svg = read(join(folder, file));
			const colors = svg.matchAll(/(?:fill|stroke|stop-color)[=:]\s*"?(#[0-9a-f]{3,6})\b/gi);
			const contrasts = [...colors].map(([, color = '']) => contrast(color, BACKGROUNDS[theme]));
			expect(Math.max(...contrasts)).toBeGreaterThan(MINIMUM);
		}
	});
});

describe('UX guidelines', () => {
	const operations = action.properties.filter(({ name }) => name === 'operation').flatMap(choicesOf);

	test('an action has no articles, begins with the verb and is short: n8n names new nodes after it', () => {
		expect(operations.length).toBeGreaterThan(90);
		for (const { action: text = '' } of operations) {
			expect(text).not.toMatch(/\b(a|an|the)\b/i);
			expect(text.length).toBeLessThanOrEqual(40);
			expect(text).toMatch(/^[A-Z]/);
		}
	});

	test('n8n makes one name for node, tool, expression and file of an action', () => {
		for (const { action: text = '' } of operations) {
			const names = [text, `${text} in Voice Agent Calling`];
			// n8n's editor replaces only blanks, its engine everything that a model's API does not allow.
			expect(names.map(nodeNameToToolName)).toEqual(names.map((name) => name.replaceAll(' ', '_')));
			expect(text).toMatch(/^[\w -]+$/);
		}
	});

	test('the operations that place calls say that a real phone rings', () => {
		const ringing = operations.filter(({ description = '' }) => description.includes('A real phone rings'));
		const values = ringing.map(({ value }) => value).sort();
		expect(values).toEqual(['place', 'placeAndWait', 'queueCall', 'queueCallAndWait']);
	});

	test('the names of choices are in Title Case, as those of fields are by the lint', () => {
		const small = /^(a|an|and|as|at|by|for|from|if|in|of|on|or|the|to|with)$/;
		const isTitleCase = (name: string) =>
			name
				.split(/[\s/()-]+/)
				.every((word, index) => word === '' || /^[^a-z]/.test(word) || (index > 0 && small.test(word)));
		const names = everywhere.flatMap((property) => choicesOf(property).map(({ name }) => name));
		expect(names.filter((name) => !isTitleCase(name))).toEqual([]);
	});

	test('a placeholder begins with e.g., that of a collection with Add; n8n wants name@email.com for an email address', () => {
		for (const { name, type, placeholder } of everywhere.filter(({ placeholder }) => placeholder)) {
			const form = /ollection$/.test(type) ? /^Add / : /[eE]mail$/.test(name) ? /^name@email\.com$/ : /^e\.g\. /;
			expect({ name, placeholder }).toEqual({ name, placeholder: expect.stringMatching(form) });
		}
	});

	test('the events of the trigger are in Trigger On, without a tooltip', () => {
		const events = trigger.properties.filter(({ displayName }) => displayName === 'Trigger On');
		expect(events.length).toBeGreaterThan(0);
		expect(events.filter(({ description }) => description)).toEqual([]);
	});
});
