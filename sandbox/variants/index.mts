import type { SandboxOptions } from '../options.mts';
import type { Variant, VariantSection } from '../world/variant.mts';
import { actions, agents, numbers, voices } from './agentsAndVoices.mts';
import { answers } from './answers.mts';
import { calls, campaigns, files } from './callsAndCampaigns.mts';
import type { Entry } from './entry.mts';
import { errors } from './errors.mts';
import { events } from './events.mts';
import { limits } from './limits.mts';
import { lists } from './lists.mts';
import { signatures } from './signatures.mts';
import { calendars, trunks } from './trunksAndCalendars.mts';
import { webhooks } from './webhooksAndLogs.mts';

/** By section, in the order in which they take effect: what changes the form of everything comes last. */
const SECTIONS: Record<VariantSection, readonly Entry[]> = {
	agents,
	actions,
	voices,
	numbers,
	calls,
	campaigns,
	files,
	trunks,
	calendars,
	webhooks,
	events,
	signatures,
	lists,
	answers,
	limits,
	errors,
};

/** All variants, by section. */
export const variants: readonly Variant[] = Object.entries(SECTIONS).flatMap(([section, entries]) =>
	entries.map((entry): Variant => ({ ...entry, section: section as VariantSection })),
);

/** A name that no variant has. */
export class UnknownVariant extends Error {}

/** The variants with these names, in the order in which they are listed. @throws UnknownVariant */
export function variantsNamed(names: readonly string[]): Variant[] {
	const unknown = names.find((name) => !variants.some((variant) => variant.name === name));
	if (unknown !== undefined) {
		throw new UnknownVariant(`There is no variant "${unknown}".`);
	}
	return variants.filter(({ name }) => names.includes(name));
}

/** The settings of a sandbox with some variants. */
export function optionsWith(options: SandboxOptions, chosen: readonly Variant[]): SandboxOptions {
	return Object.assign({ ...options }, ...chosen.map((variant) => variant.options ?? {}));
}
