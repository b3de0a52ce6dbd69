import { type MetadataJson, PhoneNumber } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.max.json';

import type { Groups, Notation } from './notation';

/** How well groups fit a format: 2 if they are the same, 1 if some are joined, 0 if they differ. */
type Fit = 2 | 1 | 0;

/** A number that the digits may represent. */
export interface Reading {
	/** The number with calling code, without +. */
	number: string;
	/** Whether the digits are dialed this way in the country, or are an international number without its +. */
	as: 'dialed' | 'withoutPlus';
}

/** Matches a calling code before a hyphen or in brackets. */
const CODE_APART = /^(?:\((\d{1,3})\)|(\d{1,3})\s?-)/;

/**
 * Selects the readings whose usual format has the groups that were written: `202-224-5251` is a number of the United
 * States, and not +20 22245251. A calling code is never joined to the following digits if these are grouped, and rarely
 * written before a hyphen or in brackets without +. A reading that lacks its first digits cannot be selected this way,
 * but it can prevent the selection of others.
 *
 * @returns the readings of the only number that fits best, or else all readings
 */
export function groupedLike({ groups, plain }: Notation, readings: readonly Reading[]): readonly Reading[] {
	if (groups.length === 1) {
		return readings;
	}
	const [, inBrackets, beforeHyphen = inBrackets] = CODE_APART.exec(plain) ?? [];
	const fits = readings.map((reading) => {
		const usual = usualGroups(reading);
		const fit = fitOf(groups, usual);
		const isUnlikely = reading.as === 'withoutPlus' && beforeHyphen === usual[0];
		// With its area code in brackets, a number is complete even without a trunk prefix: (495) 123-45-67 for 8 (495) …
		const isWhole = usual.join('') === groups.join('') || hasBrackets(plain, reading);
		return { reading, fit: isUnlikely ? Math.min(fit, 1) : fit, isWhole };
	});
	const best = Math.max(...fits.map(({ fit }) => fit));
	const found = fits.filter(({ fit }) => fit === best);
	const [number, another] = new Set(found.map(({ reading }) => reading.number));
	const isClear = best > 0 && another === undefined && found.some(({ isWhole }) => isWhole);
	return isClear ? readings.filter((reading) => reading.number === number) : readings;
}

/**
 * Whether brackets contradict a calling code, because they contain only a part of it or more than it, as in
 * +(205) 221-2310, which is not a number of +20.
 *
 * @param from the number of digits before the calling code
 * @param to the number of digits up to its end
 */
export function bracketsContradict({ plain }: Notation, from: number, to: number): boolean {
	let end = 0;
	return (plain.match(/\([^)]*|[^()]+/g) ?? []).some((part) => {
		const start = end;
		end += part.replace(/\D/g, '').length;
		return part.startsWith('(') && from < end && start < to && end !== to;
	});
}

/**
 * Whether the groups of digits are exactly those of a national number, and not those of an international one. Two groups
 * prove nothing: in DE, nearly all digits have a meaning with an area code.
 */
export function isGroupedAsNational(groups: Groups, national: string, international: Groups, abroad: string): boolean {
	return (
		groups.length > 2 &&
		fitOf(groups, usualGroups({ number: national, as: 'dialed' })) === 2 &&
		fitOf(international, usualGroups({ number: abroad, as: 'withoutPlus' })) === 0
	);
}

/** Whether the area code is in brackets, as in the usual format. */
function hasBrackets(plain: string, reading: Reading): boolean {
	const [inBrackets] = /^\(\d+\)/.exec(plain) ?? [];
	return reading.as === 'dialed' && inBrackets !== undefined && usualFormat(reading).includes(inBrackets);
}

/** Whether a number contains its area code: it has the usual format, except for a possibly missing trunk prefix. */
export function hasAreaCode({ groups }: Notation, number: string): boolean {
	const usual = usualGroups({ number, as: 'dialed' });
	return usual.join('') === groups.join('') || (groups.length > 1 && fitOf(groups, usual) > 0);
}

/** Whether a complete number has the usual groups of its country. @param number with calling code, without + */
export function isUsual({ groups }: Notation, number: string): boolean {
	const usual = usualGroups({ number, as: 'dialed' });
	return usual.join('') === groups.join('') && fitOf(groups, usual) > 0;
}

/** Matches several groups with the same sign between all of them. */
const SAME_SIGNS = /^\d+([.-])(?:\d+\1)+\d+$/;

/**
 * Whether the first group is separated as in the usual format, or like all others.
 *
 * @param number see {@link isUsual}
 */
export function hasUsualSigns({ plain }: Notation, number: string): boolean {
	return SAME_SIGNS.test(plain) || firstSigns(plain) === firstSigns(usualFormat({ number, as: 'dialed' }));
}

/** Returns the signs around the first group, without blanks. */
const firstSigns = (text: string) => /^(\D*)\d+(\D*)/.exec(text)?.slice(1).join(' ').replace(/\s/g, '');

/** Returns a number as people usually write it. */
function usualFormat({ number, as }: Reading): string {
	const phone = new PhoneNumber(`+${number}`, metadata as unknown as MetadataJson);
	return as === 'dialed' ? phone.formatNational() : phone.formatInternational();
}

const groupsIn = (text: string): Groups => text.match(/\d+/g) ?? [];

const usualGroups = (reading: Reading) => groupsIn(usualFormat(reading));

/** @param usual the groups of the complete number; the first digits may be missing in `groups` */
function fitOf(groups: Groups, usual: Groups): Fit {
	const [digits, whole] = [groups.join(''), usual.join('')];
	if (!whole.endsWith(digits)) {
		return 0;
	}
	const missing = whole.length - digits.length;
	const expected = endsOf(usual)
		.map((end) => end - missing)
		.filter((end) => end > 0);
	const written = endsOf(groups);
	if (written[0] !== expected[0] || !written.every((end) => expected.includes(end))) {
		return 0;
	}
	return written.length === expected.length ? 2 : 1;
}

/** Returns the number of digits up to the end of each group. */
function endsOf(groups: Groups): number[] {
	let length = 0;
	return groups.map((group) => {
		length += group.length;
		return length;
	});
}
