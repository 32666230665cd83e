-- The set-up of Neovim 0.11 or newer for goalspec.
vim.filetype.add({
  extension = { game = "goalspec-game", goal = "goalspec-game", bddl = "bddl", pddl = "pddl" },
})
vim.lsp.config("goalspec", {
  cmd = { "goalspec", "lsp" },
  filetypes = { "goalspec-game", "bddl", "pddl", "yaml", "python", "toml" },
  root_markers = { "goalspec.toml", ".git" },
})
vim.lsp.enable("goalspec")
