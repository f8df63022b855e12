/** What `--help` prints. */
export function help(): string {
  return `toolport: the tools of an AI agent, from the command line

Usage
  toolport call <tool> [json | -]   one call; the input as JSON, "-" reads it from stdin
  toolport run <file.jsonl | ->     one call a line in, one result a line out
  toolport tools [tool]             the tools, or one with its parameters
  toolport mcp                      the tools and the files for an MCP client, on stdin and stdout, until stdin ends
  toolport proxy                    web search for the tools, with its keys kept here (see "toolport proxy --help")

Workspace
  --root DIR        work in this directory (default: the current one)
  --memory          work in memory; nothing is kept
  --seed DIR        with --memory: start with a copy of this directory
  --read-only       refuse every change
  --shell NAME      what runs the commands of "bash": node (a real shell, which the workspace does not bind), virtual (a bash in
                    JavaScript) or none; default virtual with --memory, else none
  --js [NAME]       what runs JavaScript: sandbox (reaches the workspace and nothing else; meant where no name is given), node (Node
                    itself, for programs that are trusted) or none (default). With one, the tools in .toolport/tools of the
                    workspace are there too: those that "create_persistent_tool" has made
  --registry URL    with --js: where "install_js_packages" finds packages (default: $TOOLPORT_REGISTRY, else nowhere)

Options
  --preset NAME     which set of tools: standard (default), loom, loaf, loom-elixir, zeroclaw
  --json            print results as JSON objects, one a line
  --help, --version

A line of a .jsonl file is {"name": "read_file", "input": {"path": "README.md"}, "id": "1"}; the id may be left out.
Exit status: 0 all calls succeeded, 1 a call failed, 2 the command line is wrong; 130, 143 or 129 interrupted by Ctrl-C, SIGTERM or
SIGHUP, which abort the call. A command of "bash" that fails is an answer, not a failed call: its own exit code is in the result.
`
}
