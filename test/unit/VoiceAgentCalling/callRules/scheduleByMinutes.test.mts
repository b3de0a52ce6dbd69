import { DateTime, IANAZone } from 'luxon';

import { slotsOf } from '../../../../nodes/VoiceAgentCalling/callRules/schedule.ts';
import fc from '../../../fastCheck.mts';
import { type Campaign, DAY_MS, isOpen, MINUTE_MS, planned } from './campaigns.mts';

/**
 * The first moment at which a campaign is open: the given one, or the start of a minute. Looks at every minute.
 *
 * @returns null if it is closed until `end`
 */
function firstOpenMinute(campaign: Campaign, from: number, end: number): number | null {
	const zone = IANAZone.create(campaign.timezone);
	if (isOpen(campaign, DateTime.fromMillis(from, { zone }))) {
		return from;
	}
	for (let time = (Math.floor(from / MINUTE_MS) + 1) * MINUTE_MS; time < end; time += MINUTE_MS) {
		if (isOpen(campaign, DateTime.fromMillis(time, { zone }))) {
			return time;
		}
	}
	return null;
}

test('the next calling time is the first minute in which the campaign is open, by luxon', () => {
	const seen = { now: 0, later: 0, never: 0, changes: 0 };
	fc.assert(
		fc.property(planned, ({ campaign, from }) => {
			const earliest = from + (campaign.initial_call_delay ?? 0) * 1000;
			const slot = slotsOf(campaign)?.(from);
			// After the end date, and after two weeks on which the clocks did not change, nothing opens.
			const end = Math.max(earliest, Date.parse(campaign.end_date ?? campaign.start_date)) + 2 * DAY_MS;
			const horizon = campaign.end_date ? end : end + 14 * DAY_MS;
			expect(slot).toBe(firstOpenMinute(campaign, earliest, (slot ?? horizon) + MINUTE_MS));
			seen[slot === null ? 'never' : slot === earliest ? 'now' : 'later']++;
			const zone = IANAZone.create(campaign.timezone);
			seen.changes += zone.offset(earliest) === zone.offset(slot ?? earliest) ? 0 : 1;
		}),
		{ numRuns: 40 },
	);
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
