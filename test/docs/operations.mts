import { type Field, notOffered } from '../../nodes/shared/fields/field.ts';
import type { Operation, Resource } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { readEndpoints } from './coverage.mts';
import { withGenerated } from './generated.mts';
import { plain, slug, table } from './markdown.mts';
import { commonFields, fieldRows } from './operationFields.mts';
import { outputOf } from './operationOutput.mts';

/** One operation with the data that the page shows. */
interface Entry {
	/** "Resource → Operation". */
	title: string;
	resource: Resource;
	operation: Operation;
	/** Its own endpoints first. */
	endpoints: Array<{ method: string; path: string; own: boolean }>;
}

const byName = <Named extends { name: string }>(all: readonly Named[]) =>
	[...all].sort((left, right) => (left.name.toLowerCase() < right.name.toLowerCase() ? -1 : 1));

const used = readEndpoints();
const allEntries = () => byName(resources).flatMap(entriesOf);

/** The operations of a resource by name. */
export function entriesOf(resource: Resource): Entry[] {
	return byName(resource.operations).map((operation) => {
		const title = `${resource.name} → ${operation.name}`;
		const endpoints = used.flatMap(({ method, path, operations }) =>
			operations.filter(({ name }) => name === title).map(({ own }) => ({ method, path, own })),
		);
		endpoints.sort((left, right) => Number(right.own) - Number(left.own));
		return { title, resource, operation, endpoints };
	});
}

/** Whether a real phone may ring, which its tool description has to state. */
export const rings = ({ operation: { toolDescription = '' } }: Entry) => /real phones? rings?/.test(toolDescription);
const deletes = ({ endpoints }: Entry) => endpoints.some(({ method, own }) => own && method === 'DELETE');
const drafts = ({ operation }: Entry) => operation.fields.some(({ key }) => key === 'publishAfterwards');
/** Whether requests are repeated: by the setting of the operation, otherwise by the HTTP method. */
const repeats = ({ operation, endpoints }: Entry) =>
	operation.repeat === undefined
		? endpoints.every(({ method, own }) => !own || !['POST', 'PATCH'].includes(method))
		: operation.repeat !== 'never';

/** Whether the user writes the request of the operation. */
const isFree = ({ operation }: Entry) => operation.fields.some(({ key }) => key === 'method');

function repeating(entry: Entry): string {
	const said = isFree(entry) ? ' With PATCH or POST, or a path that places a call, not repeated.' : undefined;
	return said ?? (repeats(entry) ? '' : ' Not repeated.');
}

const fieldsOf = ({ operation: { fields, updates, filters, options } }: Entry) =>
	[fields, updates, filters, options].flat();

/** A field with one of its values, by their names in the editor. */
function named({ properties: [{ displayName, options = [] }] }: Field, value: unknown): string {
	const option = options.find((each) => 'value' in each && each.value === value);
	return `*${displayName}* ${option?.name ?? { true: 'on', false: 'off' }[String(value)] ?? String(value)}`;
}

/** Whether AI agents get the operation, where they do not get all of it. */
function openness(entry: Entry): string {
	if (!entry.operation.forTools) {
		return 'Not open to AI agents.';
	}
	if (entry.operation.placesCall) {
		return 'Open to AI agents within *Max Calls per Run*, *Max Calls per Hour* and *Allowed Number Prefixes*.';
	}
	const fields = fieldsOf(entry);
	const nameOf = ({ properties: [{ displayName }] }: Field) => `*${displayName}*`;
	const closed = fields.flatMap((field) => notOffered(field).map((value) => named(field, value)));
	const persons = fields.flatMap((field) => [
		...(field.ai === 'fixed' ? [nameOf(field)] : []),
		...(typeof field.ai === 'object' ? field.ai.not : []).map((value) => named(field, value)),
	]);
	const open = fields.filter(({ ai }) => ai !== 'fixed').map(nameOf);
	const limits = [
		...(closed.length > 0 ? [`not ${closed.join(' or ')}`] : []),
		...(persons.length > open.length ? [`a model can fill in only ${open.join(', ')}`] : []),
		...(persons.length > 0 && persons.length <= open.length ? [`only a fixed value of ${persons.join(', ')}`] : []),
	];
	return limits.length > 0 ? `Open to AI agents, but ${limits.join(', ')}.` : '';
}

function effects(entry: Entry): string {
	const said = [
		rings(entry) && `**${entry.operation.placesCall ? '' : 'it can make '}real phones ring, which spends credits**`,
		deletes(entry) && '**what it removes is gone for good**',
		drafts(entry) && 'the agent becomes a draft',
	].filter(Boolean);
	return said.length === 0 ? '' : `Effect: ${said.join('; ')}. `;
}

/** What the rows of a table of fields say, without where an operation has the field: the same for several operations. */
const saying = ([name = '', , about = '']: string[]) => [name, about];

/** Whether a row of fields is in the table of its resource. */
type IsShared = (row: string[]) => boolean;

/** The fields that several operations of a resource have. */
function sharedFields({ operations }: Resource): { rows: string[][]; isShared: IsShared } {
	const times = new Map<string, number>();
	for (const row of operations.flatMap(fieldRows)) {
		const key = saying(row).join('|');
		times.set(key, (times.get(key) ?? 0) + 1);
	}
	const shared = [...times].filter(([, count]) => count > 1).map(([key]) => key);
	const rows = operations.flatMap(fieldRows).map(saying);
	return {
		rows: shared.sort().map((key) => rows.find((row) => row.join('|') === key) ?? []),
		isShared: (row) => shared.includes(saying(row).join('|')),
	};
}

/** The names of shared fields, by where the operation has them. */
function namesByPlace(rows: string[][]): string[] {
	const places = [...new Set(rows.map(([, place = '']) => place))];
	const namesAt = (place: string) => [...new Set(rows.filter((row) => row[1] === place).map(([name]) => name))];
	return places.map((place) => `${PLACES[place] ?? place}: ${namesAt(place).join(', ')}.`);
}

const PLACES: Record<string, string> = { yes: 'Required', no: 'Optional' };

function fieldSection({ operation }: Entry, isShared: IsShared): string {
	const rows = fieldRows(operation);
	const own = rows.filter((row) => !isShared(row));
	const common = commonFields(operation);
	const also = common.length > 0 ? [`Also: ${common.join(', ')}.`] : [];
	const names = [...namesByPlace(rows.filter(isShared)), ...also].join(' ');
	const placeOf = (place = '') => PLACES[place]?.toLowerCase() ?? place;
	const items = own.map(([name, place, about]) => `- **${name}** (${placeOf(place)}): ${about}`);
	return [items.join('\n'), names].filter(Boolean).join('\n\n');
}

function given(entry: Entry): string {
	const { resource, operation } = entry;
	if (isFree(entry)) {
		return 'Output: what the service answers, as it is, or the entries of a list.';
	}
	const { outputs } = operation;
	const { always, sometimes } = outputOf(resource.value, operation.value);
	const more = (outputs?.all ?? []).filter((name) => !outputs?.simplified.includes(name));
	return [
		`${outputs ? 'Output, Simplified' : 'Output'}: ${always}.`,
		sometimes && `Not in every answer: ${sometimes}.`,
		outputs && `Raw also has ${more.map((name) => `\`${name}\``).join(', ')}.`,
	]
		.filter(Boolean)
		.join(' ');
}

function section(entry: Entry, isShared: IsShared, output: string): string {
	const { operation, endpoints } = entry;
	const code = (own: boolean) =>
		endpoints
			.filter((endpoint) => endpoint.own === own)
			.map(({ method, path }) => `\`${method} ${path}\``)
			.join(', ');
	return [
		`## ${operation.name}`,
		`${plain(operation.description)}${/\.$/.test(operation.description) ? '' : '.'}`,
		isFree(entry)
			? 'Any endpoint, also one without an operation.'
			: [code(true), code(false)].filter(Boolean).join(', besides '),
		`${effects(entry)}${openness(entry)}${repeating(entry)}`.trim(),
		fieldSection(entry, isShared),
		output,
	]
		.filter(Boolean)
		.join('\n\n');
}

/** The folder of the pages. */
export const FOLDER = 'docs/reference/operations';
const GENERATED = '<!-- Generated by npm run generate, in test/project/operationsPage.test.mts. Do not edit. -->';
const fileOf = ({ name }: Resource) => `${slug(name)}.md`;

/** What follows a word that says that nobody can be certain, and the row of the page about assumptions that it links to. */
const ASSUMPTIONS: ReadonlyArray<readonly [after: string, anchor: string]> = [
	['the notation', 'variables'],
	['written as', 'variables'],
	['updated', 'identity-of-an-action'],
	['sent as described', 'events-of-a-call'],
	['replaces the current owner', 'owner-of-a-calendar'],
];

function linkAssumptions(page: string): string {
	return ASSUMPTIONS.reduce(
		(text, [after, anchor]) =>
			text.replaceAll(`probably ${after}`, `[probably](../../contributing/assumptions.md#${anchor}) ${after}`),
		page,
	);
}

/** The page of a resource. */
function resourcePage(resource: Resource): string {
	const { rows, isShared } = sharedFields(resource);
	const outputs = new Map<string, string>();
	const sections = entriesOf(resource).map((entry) => {
		const output = given(entry);
		const same = outputs.get(output);
		outputs.set(output, same ?? entry.operation.name);
		return section(entry, isShared, same ? `Output: as [${same}](#${slug(same)}).` : output);
	});
	const list = rows.map(([name, about]) => `- **${name}**: ${about}`).join('\n');
	const shared = rows.length > 0 ? ['Fields of several operations:', list] : [];
	const intro = '[What the words on this page mean](README.md#how-to-read-these-pages)';
	const parts = [GENERATED, `# ${resource.name}`, intro, ...shared, ...sections];
	return linkAssumptions(`${parts.join('\n\n')}\n`);
}

const linkTo = ({ resource, operation }: Entry, text: string) =>
	`[${text}](${fileOf(resource)}#${slug(operation.name)})`;

const names = (entries: Entry[]) => entries.map((entry) => linkTo(entry, entry.title)).join(', ');

/** The list of all operations, and of those that cost or remove something. */
function overview(all: Entry[]): string {
	const lists = byName(resources).map((resource) => {
		const links = entriesOf(resource).map((entry) => linkTo(entry, entry.operation.name));
		return [`[${resource.name}](${fileOf(resource)})`, links.join(', ')];
	});
	const effects: Array<[string, (entry: Entry) => boolean]> = [
		['Real phones ring or can ring, which spends credits', rings],
		['What it removes is gone for good', deletes],
		['The agent becomes a draft, which cannot call until it is published again', drafts],
	];
	const rows = effects.map(([what, has]) => [what, names(all.filter(has))]);
	return [
		`What the node **Voice Agent Calling** can do: ${all.length} operations of ${resources.length} resources. [What is left out](../../contributing/coverage.md) has the endpoints without an operation.`,
		table(['Resource', 'Operations'], lists),
		table(['', 'Operations'], rows),
	].join('\n\n');
}

/** The pages, by their paths. */
export function operationsPages(): Map<string, string> {
	const pages = byName(resources).map((resource): [string, string] => [pageOf(resource), resourcePage(resource)]);
	const list = `${FOLDER}/README.md`;
	return new Map([[list, withGenerated(list, { operations: overview(allEntries()) })], ...pages]);
}

/** The page of a resource, by its path. */
export const pageOf = (resource: Resource): string => `${FOLDER}/${fileOf(resource)}`;

/** By "Resource → Operation": the HTTP method, and whether the page says that the request is sent again. */
export function repeated(): Map<string, { method: string; again: boolean }> {
	const methodOf = ({ endpoints: [own] }: Entry) => own?.method ?? '';
	return new Map(allEntries().map((entry) => [entry.title, { method: methodOf(entry), again: repeats(entry) }]));
}
