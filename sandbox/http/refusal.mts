/**
 * How a route says that a token is not valid; the service's pages differ:
 * - `authentication`: `{error: "UNAUTHORIZED", message, status_code}`
 * - `unauthenticated`: `{success: false, message: "Unauthenticated."}`
 * - `unauthorized`: `{success: false, message: "Unauthorized"}`
 * - `message`: `{message}`
 * - `bare`: `{message}`, and its 422 is `{message, errors}`; neither has `success`
 * - `coded`: `{success: false, error: {code: "INVALID_API_KEY", message, details}}`
 * - `nested`: `{error: {code: "INVALID_TOKEN", message}}`; such a route has all its errors in the nested format
 */
export type Refusal = 'authentication' | 'unauthenticated' | 'unauthorized' | 'message' | 'bare' | 'coded' | 'nested';
