/** What `--help` prints. */
export function help(): string {
  return `toolport: the tools of an AI agent, from the command line

Usage
  toolport call <tool> [json | -]   one call; the input as JSON, "-" reads it from stdin
  toolport call -                   one call, {"name": ..., "input": ...} from stdin
  toolport run <file.jsonl | ->     one call a line in, one result a line out
  toolport tools [tool]             the tools, or one with its parameters
  toolport mcp                      the tools and the files for an MCP client, on stdin and stdout, until stdin ends; needs --root or
                                    --memory, or --config with a file that has one of them, or --root-from-client
  toolport proxy                    web search for the tools, with its keys kept here (see "toolport proxy --help")

Workspace
  --root DIR        work in this directory (default: the current one)
  --memory          work in memory; nothing is kept
  --root-from-client  for mcp: work in the one directory that the client names as its root
  --seed DIR        with --memory: start with a copy of this directory
  --read-only       refuse every change; --no-read-only takes it back where the configuration file says so
  --shell NAME      what runs the commands of "bash": node (a real shell, which the workspace does not bind), virtual (a bash in
                    JavaScript) or none; default virtual with --memory, else none
  --js [NAME]       what runs JavaScript: sandbox (reaches the workspace and nothing else; meant where no name is given), node (Node
                    itself, for programs that are trusted) or none (default). With one, the tools in .toolport/tools of the
                    workspace are there too: those that "create_persistent_tool" has made
  --registry URL    with --js: where "install_js_packages" finds packages (default: $TOOLPORT_REGISTRY, else nowhere)

Calls
  --timeout MS      the longest a call may take (default: 120000)
  --approve NAME    who answers where the policy asks: ask (you, on the terminal), always or never; default the configuration file's
                    "approve", else ask. Where there is no terminal, asking is denying
  --parallel N      for run: up to N calls that only read at once, results in order (default: 1)
  --bail            for run: stop at the first failure

Options
  --preset NAME     which set of tools: standard (default), loom, loaf, loom-elixir, zeroclaw
  --config FILE     a configuration file (.json or .mjs; default: toolport.config.json or toolport.config.mjs in the current directory,
                    never in that of --root, and none for mcp); --no-config: none. The command line goes before it
  --json            print results as JSON objects, one a line
  --format NAME     for tools: as one JSON value, as the requests of a provider want them: openai, openai-responses, anthropic, gemini,
                    ai-sdk, mcp; with --strict in the strict mode of OpenAI
  --help, --version

A line of a .jsonl file is {"name": "read_file", "input": {"path": "README.md"}, "id": "1"}; the id may be left out.
Exit status: 0 all calls succeeded, 1 a call failed, 2 the command line or the configuration file is wrong; 130, 143 or 129 interrupted
by Ctrl-C, SIGTERM or SIGHUP, which abort the call. A command of "bash" that fails is an answer, not a failed call: its own exit code is
in the result.
`
}
