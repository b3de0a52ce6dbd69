import { codedError } from '../../http/errorSchemas.mts';
import { flatError } from '../../http/httpErrors.mts';
import { ASSUMED } from '../../http/named.mts';
import type { Route } from '../../http/route.mts';
import { sipTrunkCheckRoutes } from './sipTrunkChecks.mts';
import { sipTrunkDidRoutes } from './sipTrunkDids.mts';
import { sipTrunkObjectRoutes } from './sipTrunks.mts';

const planError = codedError('CUSTOM_SIP_TRUNKS_NOT_ALLOWED');

/** All SIP trunk routes. They return 403 unless the plan has `allow_custom_sip_trunks`. */
export const sipTrunkRoutes: Route[] = [...sipTrunkObjectRoutes, ...sipTrunkCheckRoutes, ...sipTrunkDidRoutes].map(
	(own) => ({
		...own,
		errors: {
			...own.errors,
			403: { when: `The plan does not include custom SIP trunks. ${ASSUMED}`, body: planError },
		},
		handle(context) {
			if (!context.world.options.customSipTrunks) {
				throw flatError(403, 'The plan does not include custom SIP trunks.', { code: 'CUSTOM_SIP_TRUNKS_NOT_ALLOWED' });
			}
			return own.handle(context);
		},
	}),
);
