import { z } from 'zod';

import { ok } from '../../http/response.mts';
import { dataOf } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { PhoneNumber } from '../../world/phoneNumber.mts';
import type { World } from '../../world/world.mts';
import { phoneNumberSchema } from './numberAndVoiceSchemas.mts';

const listQuery = z.object({
	type: z.enum(['voice', 'sms', 'whatsapp', 'mms', 'fax']).optional(),
	has_voice: z.enum(['true', 'false', '1', '0']).optional(),
	has_whatsapp: z.enum(['true', 'false', '1', '0']).optional(),
	direction: z.enum(['inbound', 'outbound']).optional(),
	search: z.string().optional(),
});

/** `GET /phone-numbers`. All numbers of the sandbox are for voice only, in both directions. */
export const phoneNumberRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/api/v1/phone-numbers',
		summary: 'List phone numbers',
		description: 'All numbers that match the filters. The numbers of the sandbox are for voice, in both directions.',
		refusal: 'unauthorized',
		query: listQuery,
		responses: { 200: dataOf(z.array(phoneNumberSchema)) },
		handle({ world, query }) {
			const filter = query();
			const found = [...world.phoneNumbers.values()].filter(
				({ id, number }) =>
					(!filter.type || filter.type === 'voice') &&
					(!filter.has_voice || isTrue(filter.has_voice)) &&
					(!filter.has_whatsapp || !isTrue(filter.has_whatsapp)) &&
					(!filter.search || number.includes(filter.search) || id === filter.search),
			);
			return ok(found.map(full));
		},
	}),
];

/** Returns an agent's numbers for the agent. */
export function nestedNumbers(world: World, ids: string[]): unknown[] {
	return ids.flatMap((id) => {
		const number = world.phoneNumbers.get(id);
		if (!number) {
			return [];
		}
		const { created: _created, ...shown } = number;
		return [shown];
	});
}

function full({ created, ...number }: PhoneNumber): Record<string, unknown> {
	return {
		...number,
		type: 'voice',
		has_voice: true,
		has_sms: false,
		has_mms: false,
		has_fax: false,
		has_whatsapp: false,
		is_sandbox: true,
		current_price: 1.15,
		currency: 'USD',
		renewal_date: iso(created + 365 * 86_400_000).slice(0, 10),
		auto_renewal: true,
		monthly_renewal_cost: 1.15,
		days_until_monthly_renewal: 30,
		is_due_for_monthly_renewal: false,
		created_at: iso(created),
		updated_at: iso(created),
	};
}

function isTrue(text: string): boolean {
	return text === 'true' || text === '1';
}
