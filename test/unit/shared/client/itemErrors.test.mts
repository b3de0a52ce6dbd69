import { concernsAllItems, isOutage } from '../../../../nodes/shared/client/itemErrors.ts';
import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';

const errorWith = (options: Partial<ConstructorParameters<typeof ServiceError>[1]>) =>
	new ServiceError('No', { code: 'CONFLICT', advice: '', accepted: 'no', ...options });

test.each([
	[{ httpStatus: 401 }, true],
	[{ httpStatus: 429 }, true],
	[{ code: 'RATE_LIMIT_EXCEEDED' }, true],
	[{ code: 'UNREACHABLE' }, true],
	[{ code: 'CERTIFICATE_NOT_TRUSTED' }, true],
	[{ httpStatus: 403 }, false],
	[{ httpStatus: 422 }, false],
	[{ code: 'NO_ANSWER' }, false],
] as const)('Every item would get the error %j: %s', (options, concernsAll) => {
	expect(concernsAllItems(errorWith(options))).toBe(concernsAll);
});

test.each([
	[{ httpStatus: 502 }, true],
	[{ httpStatus: 503, body: { data: null } }, true],
	[{ httpStatus: 504, body: 'Bad gateway' }, true],
	[{ httpStatus: 502, body: { data: { status: 'down' } } }, false],
	[{ httpStatus: 500 }, false],
	[{}, false],
])('The service does not work after %j: %s', (options, isDown) => {
	expect(isOutage(errorWith(options))).toBe(isDown);
});
