// @ts-nocheck: the document's own example.
// biome-ignore-all format: as the document has it
// biome-ignore-all lint/correctness/noUnusedFunctionParameters: as the document has it
// my-tool.js
export const name = "my_tool";
export const description = "Does something useful";
export const inputSchema = {
  type: "object",
  properties: {
    input: { type: "string" },
  },
  required: ["input"],
};

export async function run(input, context) {
  return {
    ok: true,
    output: { result: input.input.toUpperCase() },
  };
}
