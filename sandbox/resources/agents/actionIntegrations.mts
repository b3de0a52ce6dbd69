import { ok } from '../../http/answer.mts';
import { type Route, route } from '../../http/route.mts';

/** The identifiers of the catalogue. */
export const INTEGRATIONS = ['calendar', 'email-calendar', 'crm'] as const;

const CATALOGUE: Record<(typeof INTEGRATIONS)[number], [name: string, description: string, category: string]> = {
	calendar: ['Calendar', 'Looks for free times and books them', 'scheduling'],
	'email-calendar': ['Email calendar', 'Sends invitations by email', 'communication'],
	crm: ['CRM', 'Reads and writes contacts', 'data'],
};

/** `GET /action-integrations`: what an action of an agent can be connected with. */
export const actionIntegrationRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/api/v1/action-integrations',
		summary: 'List action integrations',
		refusal: 'unauthenticated',
		handle: () =>
			ok(
				INTEGRATIONS.map((identifier) => {
					const [display_name, description, category] = CATALOGUE[identifier];
					const icon_url = `https://example.com/icons/${identifier}.svg`;
					return { identifier, display_name, description, category, icon_url };
				}),
			),
	}),
];
