import type { SandboxOptions } from '../options.mts';
import type { Variant } from '../world/variant.mts';
import { signatures } from './signatures.mts';

/** All variants, by section of docs/assumptions.md. */
export const variants: readonly Variant[] = [...signatures];

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
