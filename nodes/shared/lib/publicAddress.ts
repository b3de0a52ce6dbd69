/** n8n's environment variable with its public address. */
export const PUBLIC_ADDRESS_VARIABLE = 'N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL)';
