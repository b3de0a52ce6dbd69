import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as n8n from 'n8n-workflow';

import { VoiceAgentCallingApi } from '../../credentials/VoiceAgentCallingApi.credentials.ts';
import { byNode, byRefusal, byStatus } from '../../nodes/shared/errors/catalog.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { root } from '../../scripts/lib/places.mts';

/** What a saved workflow or a reader of its output relies on, a line each. */
type Facts = ReadonlySet<string>;

/** The facts by the file below test/frozen/ that has them: one for each version of a node, and one for the credential. */
export function allFacts(): Map<string, Facts> {
	const files = new Map<string, Facts>([
		['voiceAgentCallingApi.txt', new Set(new VoiceAgentCallingApi().properties.flatMap((each) => parameter(each)))],
	]);
	for (const { description } of [new VoiceAgentCalling(), new VoiceAgentCallingTrigger()]) {
		for (const version of [description.version].flat()) {
			files.set(`${description.name}-${version}.txt`, new Set(factsOf(description, version)));
		}
	}
	return files;
}

function factsOf({ name, properties }: n8n.INodeTypeDescription, version: number): string[] {
	const own = properties.filter(({ displayOptions: { show, hide } = {} }) => {
		const includes = (versions: unknown[] = []) => versions.includes(version);
		return (show?.['@version'] === undefined || includes(show['@version'])) && !includes(hide?.['@version']);
	});
	return [
		...own.flatMap((each) => [...parameter(each), ...uses(each)]),
		...outputs(name, version),
		...(name === 'voiceAgentCalling' ? words() : []),
	];
}

/** A parameter, what it accepts, and what is in it. n8n saves no value that is the default: a new default changes what is saved. */
function parameter({ name, type, default: initial, ...more }: n8n.INodeProperties, within = ''): string[] {
	const path = within + name;
	const facts = [`parameter ${path}: ${type}, by default ${JSON.stringify(initial)}`];
	const many = more.typeOptions?.multipleValues === true ? '[]' : '';
	const accepts = (value: unknown) => facts.push(`parameter ${path} accepts ${JSON.stringify(value)}`);
	for (const mode of more.modes ?? []) {
		accepts(mode.name);
	}
	for (const option of more.options ?? []) {
		if (type === 'collection') {
			facts.push(...parameter(option as n8n.INodeProperties, `${path}.`));
		} else if (type === 'fixedCollection') {
			const { name: group, values } = option as n8n.INodePropertyCollection;
			facts.push(...values.flatMap((each) => parameter(each, `${path}.${group}${many}.`)));
		} else {
			accepts((option as n8n.INodePropertyOptions).value);
		}
	}
	return facts;
}

/** Which operations have a parameter. */
function uses({ name, type, displayOptions, options = [] }: n8n.INodeProperties): string[] {
	const { resource, operation } = displayOptions?.show ?? {};
	if (!Array.isArray(resource) || !Array.isArray(operation)) {
		return [];
	}
	const names = [name, ...(type === 'collection' ? options.map((option) => `${name}.${option.name}`) : [])];
	return resource.flatMap((one) => operation.flatMap((two) => names.map((each) => `${one}/${two} has ${each}`)));
}

/** The fields of the output, by the schemas that n8n shows. */
function outputs(name: string, version: number): string[] {
	const folder = `nodes/${name[0]!.toUpperCase()}${name.slice(1)}/__schema__/v${version}.0.0`;
	const files = [...globSync(`${folder}/**/*.json`, { cwd: root }), `${folder}.json`];
	return files.flatMap((file) => {
		try {
			const of = file === `${folder}.json` ? 'event' : file.slice(folder.length + 1, -'.json'.length);
			return fields(JSON.parse(readFileSync(join(root, file), 'utf8')) as Schema).map(
				(each) => `output ${of}: ${each}`,
			);
		} catch (error) {
			if ((error as { code?: string }).code === 'ENOENT') {
				return [];
			}
			throw error;
		}
	});
}

interface Schema {
	properties?: Record<string, Schema>;
	items?: Schema;
}

function fields({ properties = {}, items }: Schema, within = ''): string[] {
	const inside = ([name, schema]: [string, Schema]) => [within + name, ...fields(schema, `${within}${name}.`)];
	const own = Object.entries(properties).flatMap(inside);
	return items === undefined ? own : [...own, ...fields(items, `${within.slice(0, -1)}[].`)];
}

/** The words that a workflow compares with. */
function words(): string[] {
	const codes = [...new Set([byStatus, byRefusal, byNode].flatMap(Object.keys))];
	const results = new Set([
		...unionOf('nodes/VoiceAgentCalling/operation/items.ts', 'CallResult'),
		...unionOf('nodes/VoiceAgentCalling/operation/items.ts', 'ItemResult'),
		...unionOf('nodes/shared/errors/withheld.ts', 'WithheldResult'),
	]);
	return [
		...codes.map((code) => `code ${code}`),
		...[...results].map((result) => `result ${result}`),
		...unionOf('nodes/shared/client/statuses.ts', 'CallEnd').map((outcome) => `outcome ${outcome}`),
	];
}

/** The texts of a union type; without a name, those of all in the file. */
function unionOf(file: string, type = '\\w+'): string[] {
	const source = readFileSync(join(root, file), 'utf8').replace(/\/\/.*$|\['\w+'\]/gm, '');
	const unions = [...source.matchAll(new RegExp(`^(?:export )?type ${type} =([^;]*);`, 'gm'))];
	const texts = unions.flatMap(([, union = '']) => [...union.matchAll(/'([^']+)'/g)].map(([, text]) => text!));
	if (texts.length === 0) {
		throw new Error(`${file} has no union of texts named ${type}`);
	}
	return texts;
}
