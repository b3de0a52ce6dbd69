import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { voicesIn } from '../../../shared/pickers/listings';
import type { AgentDocument } from './document';

/** The maximum length of a key without the number at its end. */
const LONGEST_SLUG = 60;

/**
 * Makes the key of an object from its name: in lower case, with hyphens in place of everything but letters, digits and
 * underscores.
 *
 * @param fallback the key for a name without letters and digits
 */
export function slugOf(name: string, fallback: string): string {
	const slug = name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}_]+/gu, '-');
	const trim = (text: string) => text.replace(/^[-_]+|[-_]+$/g, '');
	return trim([...trim(slug)].slice(0, LONGEST_SLUG).join('')) || fallback;
}

/**
 * Gives each object a unique key. Objects with equal keys are numbered by age, the oldest first: `prices`, `prices-2`. If
 * they have the same age, the object with the lower ID is first. So the order of the service's list does not matter.
 *
 * @param slug makes the key of an object
 * @returns the objects by key, sorted by key
 */
export function byKey(objects: readonly IDataObject[], slug: (item: IDataObject) => string): Map<string, IDataObject> {
	const oldestFirst = objects.toSorted(
		(left, right) =>
			compareTexts(text(left.created_at), text(right.created_at)) || compareTexts(text(left.id), text(right.id)),
	);
	const slugs = new Set(oldestFirst.map(slug));
	const keyed = new Map<string, IDataObject>();
	for (const item of oldestFirst) {
		const base = slug(item);
		let key = base;
		for (let number = 2; keyed.has(key) || (key !== base && slugs.has(key)); number++) {
			key = `${base}-${number}`;
		}
		keyed.set(key, item);
	}
	return new Map([...keyed].sort(([left], [right]) => compareTexts(left, right)));
}

/** Compares texts by their code units, so that the order is the same on every machine. */
export function compareTexts(left: string, right: string): number {
	return left < right ? -1 : Number(left > right);
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** A voice as a document names it: by its name, language and tier. */
export type VoiceNames = NonNullable<AgentDocument['voice']['template']>;

/** Reads all voices of the service once per run, each with `id`, `name`, `language` and `quality_tier`. */
export async function readVoices(api: Api): Promise<IDataObject[]> {
	return await api.remember('voices', () =>
		api.pages({ method: 'GET', path: ['voice-templates'] }, voicesIn, Number.POSITIVE_INFINITY),
	);
}

/** Returns the names of a voice of the service. Its name may be missing: then its group has the name. */
export function namesOf({ name, display_name, language, quality_tier }: IDataObject): VoiceNames {
	const others = Object.entries({ language, quality_tier }).filter(([, value]) => value !== undefined);
	return { name: String(name ?? display_name ?? ''), ...Object.fromEntries(others) };
}

/** Whether a voice has the wanted names. Absent names match every voice, so that several voices can match. */
export function hasNames(voice: VoiceNames, wanted: VoiceNames): boolean {
	const names = Object.entries(wanted) as Array<[keyof VoiceNames, string | null | undefined]>;
	return names.every(([name, value]) => value === null || value === undefined || voice[name] === value);
}
