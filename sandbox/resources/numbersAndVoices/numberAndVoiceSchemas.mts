import { z } from 'zod';

import { named } from '../../http/named.mts';
import { dateText, identifier, shownNumber, timestamp } from '../../http/responseSchemas.mts';

const number = {
	id: identifier,
	number: shownNumber,
	country_code: z.string().describe('ISO 3166-1 alpha-2.'),
	formatted_number: z.string(),
	international_number: z.string(),
	current_status: z.enum(['active', 'inactive', 'pending', 'suspended']),
};

/** A number within an agent. */
export const nestedNumberSchema = named('AgentPhoneNumber', z.object(number));

export const phoneNumberSchema = named(
	'PhoneNumber',
	z.object({
		...number,
		type: z.enum(['voice', 'sms', 'whatsapp', 'mms', 'fax']),
		has_voice: z.boolean(),
		has_sms: z.boolean(),
		has_mms: z.boolean(),
		has_fax: z.boolean(),
		has_whatsapp: z.boolean(),
		is_sandbox: z.boolean(),
		current_price: z.number(),
		currency: z.string(),
		renewal_date: dateText,
		auto_renewal: z.boolean(),
		monthly_renewal_cost: z.number(),
		days_until_monthly_renewal: z.number().int(),
		is_due_for_monthly_renewal: z.boolean(),
		created_at: timestamp,
		updated_at: timestamp,
	}),
);

export const qualityTier = z.enum(['basic', 'pro', 'ultra', 'beta']);

export const voiceGroupSchema = named(
	'VoiceTemplateGroup',
	z.object({
		display_name: z.string(),
		voices: z.array(
			named(
				'VoiceTemplate',
				z.object({
					id: identifier,
					name: z.string(),
					gender: z.enum(['male', 'female']),
					language: z.string().describe('A locale code.'),
					quality_tier: qualityTier,
					cost: z
						.string()
						.regex(/^\d+(\.\d+)?$/)
						.describe('Price per minute in US dollars.'),
				}),
			),
		),
	}),
);
