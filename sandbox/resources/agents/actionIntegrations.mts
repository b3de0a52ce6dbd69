import { z } from 'zod';

import { ok } from '../../http/response.mts';
import { dataOf } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { actionIntegrationSchema } from './agentSchemas.mts';

/** The identifiers of the catalog. */
export const INTEGRATIONS = ['calendar', 'email-calendar', 'crm'] as const;

const CATALOG: Record<(typeof INTEGRATIONS)[number], [name: string, description: string, category: string]> = {
	calendar: ['Calendar', 'Looks for free times and books them', 'scheduling'],
	'email-calendar': ['Email calendar', 'Sends invitations by email', 'communication'],
	crm: ['CRM', 'Reads and writes contacts', 'data'],
};

/** `GET /action-integrations`: the systems that an action of an agent can use. */
export const actionIntegrationRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/api/v1/action-integrations',
		summary: 'List action integrations',
		description: 'For actions of the type integration.',
		refusal: 'unauthenticated',
		responses: { 200: dataOf(z.array(actionIntegrationSchema)) },
		handle: () =>
			ok(
				INTEGRATIONS.map((identifier) => {
					const [display_name, description, category] = CATALOG[identifier];
					const icon_url = `https://example.com/icons/${identifier}.svg`;
					return { identifier, display_name, description, category, icon_url };
				}),
			),
	}),
];
