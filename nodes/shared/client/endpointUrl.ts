import { ServiceError } from '../errors/serviceError';
import { VERSION_PREFIX } from './baseUrl';

/**
 * Builds the URL of an endpoint.
 *
 * @param base the result of `parseBaseUrl`
 * @param segments the path after `/api/v1`; each is percent-encoded, so that an ID stays one segment
 * @throws ServiceError `INVALID_INPUT` for a segment that is empty, `.` or `..`, or not well-formed Unicode
 */
export function endpointUrl(base: URL, segments: readonly string[]): string {
	const path = segments.map((segment) => {
		// A URL parser resolves "." and ".." even where they are percent-encoded.
		if (['', '.', '..'].includes(segment) || !segment.isWellFormed()) {
			throw new ServiceError(`"${segment}" cannot be an ID`, {
				code: 'INVALID_INPUT',
				advice: 'Enter the complete ID.',
				accepted: 'no',
			});
		}
		return encodeURIComponent(segment);
	});
	const { href } = base;
	return `${href.endsWith('/') ? href.slice(0, -1) : href}${VERSION_PREFIX}/${path.join('/')}`;
}
